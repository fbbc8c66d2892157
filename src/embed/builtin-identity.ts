/**
 * Version and size of the built-in model, read from its file's header without loading the weights. A run that has
 * nothing to embed needs no more.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import { MODEL_MAGIC, type ModelMeta, modelFile } from './builtin/model.js';

type BuiltinIdentity = Pick<ModelMeta, 'version' | 'dimensions'>;

const PREFIX_BYTES = 12;

let known: BuiltinIdentity | null = null;

/** Reads the identity once and remembers it. Throws BROKEN_INSTALLATION if the model file is missing or damaged. */
export function builtinIdentity(): BuiltinIdentity {
  known ??= readIdentity();
  return known;
}

function readIdentity(): BuiltinIdentity {
  const fd = openSync(modelFile(), 'r');
  try {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    readSync(fd, prefix, 0, PREFIX_BYTES, 0);
    if (prefix.toString('latin1', 0, 8) !== MODEL_MAGIC) throw new Error('another format');
    const header = Buffer.alloc(prefix.readUInt32LE(8));
    readSync(fd, header, 0, header.length, PREFIX_BYTES);
    const { version, dimensions } = (JSON.parse(header.toString('utf8')) as { meta: ModelMeta }).meta;
    return { version, dimensions };
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'model/builtin.bin of the package is damaged', { cause });
  } finally {
    closeSync(fd);
  }
}
