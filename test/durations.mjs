// A reporter of `node --test` that writes how many milliseconds each top-level test took, and the compiled file it is in.
export default async function* durations(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 0 || data.file === undefined) continue;
    yield `${Math.round(data.details.duration_ms)}\t${data.file}\n`;
  }
}
