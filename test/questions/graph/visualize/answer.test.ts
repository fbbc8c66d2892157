/** Pictures of the graph as text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asker } from '../../../../src/questions/asker.js';
import { answerVisualize } from '../../../../src/questions/graph/visualize/answer.js';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal, document } = await openTold(market);
const draw = (given: object) => text('graph visualize', { output: '-', ...given });

test('files, folders and symbols, each as Mermaid', async () => {
  assert.equal(
    await draw({ format: 'mermaid' }),
    `
flowchart LR
  subgraph f0["lib"]
    n0["fmt.py"]
    n1["report.py"]
  end
  subgraph f1["src"]
    n2["cart.test.ts"]
    n3["cart.ts"]
    n4["log.ts"]
    n5["main.ts"]
    n6["money.ts"]
    n7["routes.ts"]
    n8["shelf.ts"]
  end
  n1 --> n0
  n2 --> n3
  n2 --> n6
  n3 --> n6
  n3 --> n8
  n5 --> n3
  n5 --> n6
  n5 --> n8
  n6 --> n3
  n6 --> n4
  n7 --> n5
  n8 --> n3
  classDef folder fill:#eaeef2,stroke:#8c959f,color:#24292f
  linkStyle 4,11 stroke:#d1242f,stroke-width:2px
`,
  );
  assert.equal(
    await draw({ format: 'mermaid', view: 'folders' }),
    `
flowchart LR
  n0["lib (3)"]
  n1["src (7)"]
  classDef folder fill:#eaeef2,stroke:#8c959f,color:#24292f
`,
  );
  assert.equal(
    await draw({ format: 'mermaid', view: 'folders', tests: true }),
    `
flowchart LR
  n0["lib (3)"]
  n1["src (8)"]
  classDef folder fill:#eaeef2,stroke:#8c959f,color:#24292f
`,
  );
  assert.equal(
    await draw({ format: 'mermaid', view: 'symbols', focus: 'withTax', depth: 1 }),
    `
flowchart LR
  subgraph f0["src/cart.ts"]
    n0["Item.price"]
  end
  subgraph f1["src/log.ts"]
    n1["log"]
  end
  subgraph f2["src/money.ts"]
    n2["withTax"]
    n3["roundUp"]
  end
  n0 --> n2
  n2 --> n1
  n2 --> n3
  classDef folder fill:#eaeef2,stroke:#8c959f,color:#24292f
`,
  );
});

test('for Graphviz and for programs', async () => {
  assert.equal(
    await draw({ format: 'dot', focus: 'src/log.ts', depth: 1 }),
    `
digraph "code" {
  charset="UTF-8"; rankdir=LR; fontname="Helvetica"; newrank=true;
  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontname="Helvetica", fontsize=11];
  edge [color="#8c959f", arrowsize=0.6];
  subgraph cluster_0 {
    label="src"; color="#d0d7de";
    n0 [label="log.ts"];
    n1 [label="money.ts"];
  }
  n1 -> n0;
}
`,
  );
  assert.equal(
    await draw({ format: 'json', view: 'files', path: ['lib/**'] }),
    `
{"schemaVersion":1,"ref":"HEAD","commit":"[taxes rise]","coverage":{"covered":14,"total":14},"dirty":0,"overlay":0,"view":"files","nodes":[{"id":"n0","label":"__init__.py","path":"lib/__init__.py","kind":"file","language":"python","startLine":1,"endLine":0},{"id":"n1","label":"fmt.py","path":"lib/fmt.py","kind":"file","language":"python","startLine":1,"endLine":2},{"id":"n2","label":"report.py","path":"lib/report.py","kind":"file","language":"python","startLine":1,"endLine":10}],"edges":[{"from":"n2","to":"n1","kinds":["import","call"],"count":2,"inCycle":false,"lines":[2,6]}],"folders":[{"path":"lib","nodes":["n0","n1","n2"]}],"leftOut":{"unlinked":0}}
`,
  );
});

test('a limit lets folders stand for the rest, and a focus that is none is refused', async () => {
  assert.equal(
    await draw({ format: 'mermaid', limit: 3 }),
    `
flowchart LR
  n2[["src (7)"]]:::folder
  subgraph f0["lib"]
    n0["fmt.py"]
    n1["report.py"]
  end
  n1 --> n0
  classDef folder fill:#eaeef2,stroke:#8c959f,color:#24292f
`,
  );
  assert.equal(
    await refusal('graph visualize', { format: 'dot', focus: 'nowhere' }),
    'BAD_ARGUMENT: no symbol nowhere is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART)',
  );
  const found = await document<{ nodes?: number; edges?: number }>('graph visualize', { format: 'dot', output: '-' });
  assert.deepEqual(
    { ...found, commit: null },
    {
      schemaVersion: 1,
      ref: 'HEAD',
      commit: null,
      coverage: { covered: 14, total: 14 },
      dirty: 0,
      overlay: 0,
      format: 'dot',
      view: 'files',
      bytes: 817,
      nodes: 9,
      edges: 12,
      total: 14,
      unlinked: 5,
      output: null,
      picture: `digraph "code" {
  charset="UTF-8"; rankdir=LR; fontname="Helvetica"; newrank=true;
  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontname="Helvetica", fontsize=11];
  edge [color="#8c959f", arrowsize=0.6];
  subgraph cluster_0 {
    label="lib"; color="#d0d7de";
    n0 [label="fmt.py"];
    n1 [label="report.py"];
  }
  subgraph cluster_1 {
    label="src"; color="#d0d7de";
    n2 [label="cart.test.ts"];
    n3 [label="cart.ts"];
    n4 [label="log.ts"];
    n5 [label="main.ts"];
    n6 [label="money.ts"];
    n7 [label="routes.ts"];
    n8 [label="shelf.ts"];
  }
  n1 -> n0;
  n2 -> n3;
  n2 -> n6;
  n3 -> n6;
  n3 -> n8 [color="#d1242f", penwidth=1.6];
  n5 -> n3;
  n5 -> n6;
  n5 -> n8;
  n6 -> n3;
  n6 -> n4;
  n7 -> n5;
  n8 -> n3 [color="#d1242f", penwidth=1.6];
}
`,
    },
  );
});

test('a page is nothing for a terminal', async () => {
  const at = { command: { json: false, io: { stdout: { isTTY: true } } } } as unknown as Asker;
  for (const output of [undefined, '-'])
    await assert.rejects(async () => answerVisualize(at, { format: 'html', ...(output && { output }) } as never), {
      code: 'BAD_ARGUMENT',
      message: 'a page is nothing for a terminal',
      hint: 'git socraticode graph visualize --format html --output graph.html',
    });
});
