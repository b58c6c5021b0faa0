/** Overlays and patches made to hurt: each ends soon, with a sentence or as what was asked for. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { convertDocument } from '../../src/host/mock-tools.ts'
import { EFFORT } from '../support/effort.ts'
import { temporaryFolder } from '../support/launcher.ts'

/** Longer than any of them takes on a busy machine. */
const TIMEOUT_MS = 60_000
const INFO = { title: 't', version: '1' }

interface Hostile {
  attack: string
  data: unknown
  actions?: readonly object[]
  patch?: unknown
  /** Refused with this, or carried out. */
  fails?: RegExp
  check?: (data: unknown) => void
  /** The clock of its five seconds of computing is that much faster. */
  speed?: number
}

function nested(depth: number, inner: unknown = {}): unknown {
  let value = inner
  for (let level = 0; level < depth; level++) value = { a: value }
  return value
}
function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
function target(path: string, update: unknown = { z: 1 }): object {
  return { target: path, update }
}

const bomb = '(a+)+$'
const rows: readonly Hostile[] = [
  {
    attack: 'a regular expression that backtracks for years',
    data: [{ n: `${'a'.repeat(5000)}!` }],
    actions: [target(`$['x-data'][?match(@.n, '${bomb}')]`), target(`$..[?search(@.n, '${bomb}')]`)]
  },
  {
    attack: 'the same from the document itself',
    data: many(200, () => ({ n: `${'a'.repeat(500)}!`, p: '(a|aa)+$' })),
    actions: [target("$['x-data'][?match(@.n, @.p)]")]
  },
  {
    attack: 'look-around, which no linear engine runs, meets nothing',
    data: [{ n: `${'a'.repeat(500)}!` }],
    actions: [target("$['x-data'][?match(@.n, '(?=(a+)+b)a*')]")]
  },
  {
    attack: 'queries inside of queries over a long list',
    data: many(20_000, (index) => index),
    actions: [target("$['x-data'][?$['x-data'][?$['x-data'][?@ < 0]]]", 1)],
    fails: /#\/actions\/0 takes more than 5 s/,
    // With more effort in full.
    speed: EFFORT > 1 ? 1 : 20
  },
  {
    attack: 'every place compared with every place',
    data: many(300, () => many(100, (index) => ({ index }))),
    actions: [target("$..[?$..[?$['x-data'] == $['x-data']]]")],
    fails: /takes more than 5 s/,
    speed: EFFORT > 1 ? 10 : 25
  },
  {
    attack: 'descent within descent within descent',
    data: nested(200),
    actions: [target('$..a..a..a..a')],
    fails: /takes more than 5 s|selects too many values/,
    speed: EFFORT > 1 ? 10 : 25
  },
  {
    attack: 'a document as deep as it may be',
    data: nested(480),
    actions: [target('$..[?@.nope]')]
  },
  {
    attack: 'an update that makes it deeper',
    data: nested(480),
    actions: [target(`$['x-data']${'.a'.repeat(480)}`, nested(480))],
    fails: /nests deeper than 500 levels/
  },
  {
    attack: 'an overlay deeper than that',
    data: {},
    actions: [target('$', nested(600))],
    fails: /is nested deeper than 500 levels/
  },
  {
    attack: 'copies of itself into itself',
    data: { a: {} },
    actions: many(60, () => ({ target: "$['x-data']..a", copy: "$['x-data']" })),
    fails:
      /#\/actions\/\d+ (nests deeper than|makes the document grow by more than|takes more than)/
  },
  {
    attack: 'a list doubled a hundred times',
    data: [1, 2, 3],
    actions: many(100, () => ({ target: "$['x-data']", copy: "$['x-data']" })),
    fails: /#\/actions\/\d+ makes the document grow by more than 2000000 values/
  },
  {
    attack: 'a long text put everywhere',
    data: many(50_000, () => ({})),
    actions: [target("$['x-data'][*]", { text: 'x'.repeat(100_000) })],
    fails: /makes the document grow/
  },
  {
    attack: 'a hundred thousand actions',
    data: { n: 0 },
    actions: many(100_000, (index) => target("$['x-data']", { n: index })),
    check: (data) => assert.deepEqual(data, { n: 99_999 })
  },
  {
    attack: 'a hundred thousand that meet nothing',
    data: {},
    actions: many(100_000, (index) => target(`$.nope${index}`))
  },
  {
    attack: 'a hundred thousand that look everywhere',
    data: many(2000, () => ({ a: { b: 1 } })),
    actions: many(100_000, (index) => target(`$..nope${index}`)),
    fails: /takes more than 5 s/,
    speed: EFFORT > 1 ? 10 : 25
  },
  {
    attack: 'a path of a million brackets',
    data: {},
    actions: [target(`$${'[?@'.repeat(300_000)}`)],
    fails: /has a path of more than 10000 characters/
  },
  {
    attack: 'a path of some thousand parentheses',
    data: [1],
    actions: [target(`$[?${'('.repeat(4900)}@.a${')'.repeat(4900)}]`)],
    fails: /selects too many values|is not a JSONPath/
  },
  {
    attack: 'numbers no list has',
    data: [1],
    actions: [target("$['x-data'][99999999999999999999]")],
    fails: /is not a JSONPath \(RFC 9535\)/
  },
  {
    attack: 'a slice over a list of nothing',
    data: [1],
    actions: [target("$['x-data'][0:9007199254740991:1]", 2)],
    fails: /1\.0 update objects and arrays/
  },
  {
    attack: 'a patch that copies itself into itself',
    data: {},
    patch: many(60, (index) => ({ op: 'copy', from: '', path: `/x-data/a${index}` })),
    fails: /#\/\d+ (nests deeper than|makes the document grow by more than)/
  },
  {
    attack: 'a patch for prototypes',
    data: {},
    patch: [
      { op: 'add', path: '/x-data/__proto__', value: { polluted: 1 } },
      { op: 'add', path: '/x-data/__proto__/more', value: 1 }
    ],
    check: (data) => assert.equal(JSON.stringify(data), '{"__proto__":{"polluted":1,"more":1}}')
  },
  {
    attack: 'a patch through a prototype',
    data: {},
    patch: [{ op: 'add', path: '/x-data/constructor/prototype/polluted', value: 1 }],
    fails: /#\/0 points to a missing value: #\/x-data\/constructor\/prototype\/polluted/
  },
  {
    attack: 'a merge patch for prototypes',
    data: { a: 1 },
    patch: JSON.parse('{"x-data":{"__proto__":{"polluted":1},"constructor":{"b":1}}}'),
    check: (data) =>
      assert.equal(JSON.stringify(data), '{"a":1,"__proto__":{"polluted":1},"constructor":{"b":1}}')
  }
]

/** Makes the clock of CPU time that the limit reads faster. */
function hurry(context: TestContext, speed: number): void {
  const read = process.cpuUsage.bind(process)
  const origin = read()
  context.mock.method(process, 'cpuUsage', (since = { user: 0, system: 0 }) => {
    const { user, system } = read(origin)
    return { user: user * speed - since.user, system: system * speed - since.system }
  })
}

describe('hostile overlays and patches', () => {
  for (const { attack, data, actions, patch, fails, check, speed } of rows) {
    test(attack, { timeout: TIMEOUT_MS }, async (context) => {
      if (speed !== undefined) hurry(context, speed)
      using folder = temporaryFolder()
      const file = (name: string, value: unknown): string => {
        writeFileSync(join(folder.path, name), JSON.stringify(value))
        return join(folder.path, name)
      }
      const document = { openapi: '3.1.0', info: INFO, paths: {}, 'x-data': data }
      const version = JSON.stringify(actions)?.includes('"copy"') === true ? '1.1.0' : '1.0.0'
      const converting = convertDocument({
        document: file('openapi.json', document),
        overlay: actions ? [file('o.json', { overlay: version, info: INFO, actions })] : [],
        patch: actions ? [] : [file('p.json', patch)],
        to: '3.1',
        bundle: false,
        allowRemoteRefs: false,
        allowRefsOutside: false,
        file: undefined
      })
      if (fails !== undefined) {
        await assert.rejects(converting, { name: 'UserError', message: fails })
      } else {
        const { text, findings } = await converting
        assert.ok(findings.length <= 22, `${findings.length} findings`)
        if (check !== undefined) check(JSON.parse(text)['x-data'])
      }
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    })
  }
})
