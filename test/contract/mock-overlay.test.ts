/** The rules of the Overlay Specification, one row each, by what `nonet convert` makes of them. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { stringify } from 'yaml'
import { convertDocument } from '../../src/host/mock-tools.ts'
import { temporaryFolder } from '../support/launcher.ts'

type Version = '1.0' | '1.1'
const BOTH: readonly Version[] = ['1.0', '1.1']
const OLD: readonly Version[] = ['1.0']
const NEW: readonly Version[] = ['1.1']

interface Row {
  rule: string
  versions: readonly Version[]
  /** What the document has under `x-data`. */
  data: unknown
  actions: readonly object[]
  /** What it has there afterwards … */
  becomes?: unknown
  /** … or why the overlay is refused. */
  fails?: RegExp
  warns?: RegExp
}

/** The target `$.…` of a row stands for the data of the document. */
function at(path: string): string {
  return path.replace(/^\$/, "$['x-data']")
}

function update(path: string, value: unknown): object {
  return { target: at(path), update: value }
}
function remove(path: string): object {
  return { target: at(path), remove: true }
}
function copy(path: string, from: string): object {
  return { target: at(path), copy: at(from) }
}

const MERGE: readonly Row[] = [
  {
    rule: 'a property only the target has stays',
    versions: BOTH,
    data: { a: { keep: 1 } },
    actions: [update('$.a', {})],
    becomes: { a: { keep: 1 } }
  },
  {
    rule: 'a property only the update has is inserted, whatever it is',
    versions: BOTH,
    data: { a: {} },
    actions: [update('$.a', { text: 'x', list: [1, [2]], object: { deep: null }, none: null })],
    becomes: { a: { text: 'x', list: [1, [2]], object: { deep: null }, none: null } }
  },
  {
    rule: 'a primitive replaces a primitive, of whatever type',
    versions: BOTH,
    data: { a: { text: 'old', number: 1, truth: true, none: null } },
    actions: [update('$.a', { text: 2, number: 'new', truth: null, none: false })],
    becomes: { a: { text: 2, number: 'new', truth: null, none: false } }
  },
  {
    rule: 'a list is put behind a list',
    versions: BOTH,
    data: { a: { list: [1, 2] } },
    actions: [update('$.a', { list: [2, [3]] })],
    becomes: { a: { list: [1, 2, 2, [3]] } }
  },
  {
    rule: 'an object is merged with an object, at any depth',
    versions: BOTH,
    data: { a: { b: { c: { d: 1, e: [1] }, f: 1 } } },
    actions: [update('$', { a: { b: { c: { d: 2, e: [2], g: 3 } } } })],
    becomes: { a: { b: { c: { d: 2, e: [1, 2], g: 3 }, f: 1 } } }
  },
  ...(
    [
      [{ b: 1 }, 'x'],
      [{ b: 1 }, [1]],
      [[1], { b: 1 }],
      [[1], 'x'],
      [[1], null],
      ['x', { b: 1 }],
      ['x', [1]],
      [null, {}]
    ] as const
  ).map(
    ([before, after]): Row => ({
      rule: `${JSON.stringify(before)} and ${JSON.stringify(after)} do not go together`,
      versions: BOTH,
      data: { a: { p: before } },
      actions: [update('$.a', { p: after })],
      fails: /#\/actions\/0 cannot merge: #\/x-data\/a\/p is/
    })
  ),
  {
    rule: 'every target is merged',
    versions: BOTH,
    data: { a: { one: {}, two: { z: 1 } } },
    actions: [update('$.a.*', { z: 2 })],
    becomes: { a: { one: { z: 2 }, two: { z: 2 } } }
  },
  {
    rule: 'targets do not share what they got',
    versions: BOTH,
    data: { a: { one: {}, two: {} } },
    actions: [update('$.a.*', { z: { list: [] } }), update('$.a.one.z', { list: [1] })],
    becomes: { a: { one: { z: { list: [1] } }, two: { z: { list: [] } } } }
  },
  {
    rule: 'a target that holds another one',
    versions: BOTH,
    data: { a: { m: 1, b: { m: 1 } } },
    actions: [update('$..[?@.m]', { n: 1 })],
    becomes: { a: { m: 1, b: { m: 1, n: 1 }, n: 1 } }
  },
  {
    rule: 'a place selected twice is updated once',
    versions: BOTH,
    data: { a: [1] },
    actions: [{ target: "$['x-data']['a','a']", update: 2 }],
    becomes: { a: [1, 2] }
  }
]

const TARGETS: readonly Row[] = [
  {
    rule: 'an object or a primitive is appended to a list',
    versions: BOTH,
    data: { a: [1] },
    actions: [update('$.a', { b: 1 }), update('$.a', 'x'), update('$.a', null)],
    becomes: { a: [1, { b: 1 }, 'x', null] }
  },
  {
    rule: 'a list is one entry of a list in 1.0',
    versions: OLD,
    data: { a: [1] },
    actions: [update('$.a', [2, 3])],
    becomes: { a: [1, [2, 3]] }
  },
  {
    rule: 'a list is put behind a list in 1.1',
    versions: NEW,
    data: { a: [1] },
    actions: [update('$.a', [2, [3]])],
    becomes: { a: [1, 2, [3]] }
  },
  {
    rule: 'an object takes nothing but an object',
    versions: BOTH,
    data: { a: {} },
    actions: [update('$.a', 'x')],
    fails: /#\/actions\/0 cannot update #\/x-data\/a with "x": the target is an object/
  },
  {
    rule: 'an object takes no list',
    versions: BOTH,
    data: { a: {} },
    actions: [update('$.a', [])],
    fails: /cannot update #\/x-data\/a with an array/
  },
  {
    rule: 'a primitive is no target of 1.0',
    versions: OLD,
    data: { a: 'x' },
    actions: [update('$.a', 'y')],
    fails: /selects "x" at #\/x-data\/a; overlays of version 1\.0 update objects and arrays/
  },
  {
    rule: 'null is a primitive, too',
    versions: OLD,
    data: { a: null },
    actions: [update('$.a', {})],
    fails: /selects null at #\/x-data\/a/
  },
  {
    rule: 'a primitive is replaced in 1.1',
    versions: NEW,
    data: { a: 'x', list: [1, 2, 1], none: null },
    actions: [update('$.a', 5), update('$.list[?@ == 1]', 'one'), update('$.none', false)],
    becomes: { a: 5, list: ['one', 2, 'one'], none: false }
  },
  {
    rule: 'a primitive takes nothing but a primitive',
    versions: NEW,
    data: { a: 'x' },
    actions: [update('$.a', { b: 1 })],
    fails: /cannot update #\/x-data\/a with an object: the target is a primitive value/
  },
  {
    rule: 'objects and lists may be mixed in 1.0 where the update fits each',
    versions: OLD,
    data: { a: {}, b: [] },
    actions: [update('$.*', { z: 1 })],
    becomes: { a: { z: 1 }, b: [{ z: 1 }] }
  },
  {
    rule: 'objects and lists may not be mixed in 1.1',
    versions: NEW,
    data: { a: {}, b: [] },
    actions: [update('$.*', { z: 1 })],
    fails: /selects both an object at #\/x-data\/a and an array at #\/x-data\/b/
  },
  {
    rule: 'primitives and lists may not be mixed in 1.1',
    versions: NEW,
    data: { a: 1, b: [] },
    actions: [update('$.*', 1)],
    fails: /selects both 1 at #\/x-data\/a and an array at #\/x-data\/b/
  },
  {
    rule: 'kinds do not matter to a removal',
    versions: BOTH,
    data: { a: 1, b: [], c: {} },
    actions: [remove('$.*')],
    becomes: {}
  },
  {
    rule: 'nothing selected is success and a warning',
    versions: BOTH,
    data: { a: 1 },
    actions: [update('$.nope', { z: 1 }), remove('$.a[?@.x]')],
    becomes: { a: 1 },
    warns: /actions\/0: The target .*nope.* has no match\n.*actions\/1: The target/
  },
  {
    rule: 'an action without a change is a warning',
    versions: BOTH,
    data: { a: {} },
    actions: [{ target: at('$.a'), remove: false }],
    becomes: { a: {} },
    warns: /actions\/0: The action has no update, copy or remove/
  }
]

const REMOVALS: readonly Row[] = [
  {
    rule: 'a property',
    versions: BOTH,
    data: { a: { b: 1, c: { d: 1 } } },
    actions: [remove('$.a.b'), remove('$.a.c')],
    becomes: { a: {} }
  },
  {
    rule: 'items of a list, whose numbers do not move in between',
    versions: BOTH,
    data: { a: [{ n: 1 }, { n: 2 }, { n: 1 }, { n: 3 }, { n: 1 }] },
    actions: [remove('$.a[?@.n == 1]')],
    becomes: { a: [{ n: 2 }, { n: 3 }] }
  },
  {
    rule: 'items by number, backwards too',
    versions: BOTH,
    data: { a: ['a', 'b', 'c', 'd'] },
    actions: [remove('$.a[0,-1]')],
    becomes: { a: ['b', 'c'] }
  },
  {
    rule: 'what is inside of something removed',
    versions: BOTH,
    data: { a: { gone: { gone: 1 } }, gone: 1 },
    actions: [remove('$..gone')],
    becomes: { a: {} }
  },
  {
    rule: 'goes before an update in the same action',
    versions: BOTH,
    data: { a: { b: 1 }, c: 1 },
    actions: [{ ...update('$.a', { z: 1 }), remove: true }],
    becomes: { c: 1 }
  },
  {
    rule: 'goes before a copy in the same action',
    versions: NEW,
    data: { a: { b: 1 }, c: 1 },
    actions: [{ ...copy('$.a', '$.c'), remove: true }],
    becomes: { c: 1 }
  },
  {
    rule: 'never the whole document',
    versions: BOTH,
    data: 1,
    actions: [{ target: '$', remove: true }],
    fails: /#\/actions\/0 cannot remove the whole document/
  }
]

const COPIES: readonly Row[] = [
  {
    rule: 'merges an object',
    versions: NEW,
    data: { from: { p: 1, l: [2], o: { x: 1 } }, to: { p: 0, l: [1], o: { y: 1 }, own: 1 } },
    actions: [copy('$.to', '$.from')],
    becomes: {
      from: { p: 1, l: [2], o: { x: 1 } },
      to: { p: 1, l: [1, 2], o: { y: 1, x: 1 }, own: 1 }
    }
  },
  {
    rule: 'puts a list behind a list, anything else into it',
    versions: NEW,
    data: { from: [2], object: { z: 1 }, to: [1] },
    actions: [copy('$.to', '$.from'), copy('$.to', '$.object'), copy('$.to', '$.from[0]')],
    becomes: { from: [2], object: { z: 1 }, to: [1, 2, { z: 1 }, 2] }
  },
  {
    rule: 'replaces a primitive',
    versions: NEW,
    data: { from: 'new', to: 'old' },
    actions: [copy('$.to', '$.from')],
    becomes: { from: 'new', to: 'new' }
  },
  {
    rule: 'of another kind is refused',
    versions: NEW,
    data: { from: 'new', to: {} },
    actions: [copy('$.to', '$.from')],
    fails: /cannot update #\/x-data\/to with "new"/
  },
  {
    rule: 'of many places is refused',
    versions: NEW,
    data: { from: [1, 2], to: [] },
    actions: [copy('$.to', '$.from[*]')],
    fails: /has 2 matches instead of one/
  },
  {
    rule: 'of no place is refused',
    versions: NEW,
    data: { to: [] },
    actions: [copy('$.to', '$.from')],
    fails: /has 0 matches instead of one/
  },
  {
    rule: 'to no place is success',
    versions: NEW,
    data: { from: 1 },
    actions: [copy('$.to', '$.from')],
    becomes: { from: 1 },
    warns: /has no match/
  },
  {
    rule: 'onto itself doubles a list once',
    versions: NEW,
    data: { a: [1, { b: 2 }] },
    actions: [copy('$.a', '$.a')],
    becomes: { a: [1, { b: 2 }, 1, { b: 2 }] }
  },
  {
    rule: 'into a part of itself takes what was there before',
    versions: NEW,
    data: { a: { b: { c: 1 } } },
    actions: [copy('$.a.b', '$.a')],
    becomes: { a: { b: { c: 1, b: { c: 1 } } } }
  },
  {
    rule: 'does not follow later changes of what was copied',
    versions: NEW,
    data: { from: { l: [1] }, to: {} },
    actions: [copy('$.to', '$.from'), update('$.from.l', 2), update('$.to.l', 3)],
    becomes: { from: { l: [1, 2] }, to: { l: [1, 3] } }
  },
  {
    rule: 'with an update and a removal renames',
    versions: NEW,
    data: { old: { a: 1 } },
    actions: [update('$', { young: {} }), copy('$.young', '$.old'), remove('$.old')],
    becomes: { young: { a: 1 } }
  },
  {
    rule: 'beside an update is refused',
    versions: NEW,
    data: {},
    actions: [{ ...copy('$', '$'), update: {} }],
    fails: /#\/actions\/0 has both update and copy/
  },
  {
    rule: 'is unknown to 1.0',
    versions: OLD,
    data: {},
    actions: [copy('$', '$')],
    fails: /#\/actions\/0\/copy requires overlay: 1\.1\.0/
  }
]

const ORDER: readonly Row[] = [
  {
    rule: 'an action sees what the one before left',
    versions: BOTH,
    data: { a: { old: 1 } },
    actions: [remove('$.a'), update('$', { a: { young: 1 } }), update('$.a', { next: 2 })],
    becomes: { a: { young: 1, next: 2 } }
  },
  {
    rule: 'the last update wins',
    versions: BOTH,
    data: { a: {} },
    actions: [update('$.a', { z: 1 }), update('$.a', { z: 2 })],
    becomes: { a: { z: 2 } }
  }
]

const PATHS: readonly Row[] = [
  {
    rule: 'names in quotes, wildcards, slices, filters and functions of RFC 9535',
    versions: BOTH,
    data: { "it's": {}, a: [{ n: 'one' }, { n: 'two' }, { n: 'three', m: [1, 2] }] },
    actions: [
      { target: `$['x-data']["it's"]`, update: { z: 1 } },
      update("$.a[?match(@.n, 't.*') && count(@.m[*]) == 2]", { z: 2 }),
      update("$.a[?search(@.n, '^.n')]", { z: 3 }),
      update('$.a[1:2]', { z: 4 }),
      update('$.a[?length(@.n) == 5]', { y: 5 }),
      update('$.a[?value(@..n) == "one"]', { y: 6 })
    ],
    becomes: {
      "it's": { z: 1 },
      a: [
        { n: 'one', z: 3, y: 6 },
        { n: 'two', z: 4 },
        { n: 'three', m: [1, 2], z: 2, y: 5 }
      ]
    }
  },
  {
    rule: 'a dash in a name needs no quotes, which is more than RFC 9535 allows',
    versions: BOTH,
    data: { 'a-b': {} },
    actions: [update('$.a-b', { z: 1 })],
    becomes: { 'a-b': { z: 1 } }
  },
  {
    rule: 'a dot of RFC 9485 meets U+2028, but no line end',
    versions: BOTH,
    data: [{ n: 'a\u2028b' }, { n: 'a\nb' }],
    actions: [update("$[?match(@.n, 'a.b')]", { z: 1 })],
    becomes: [{ n: 'a\u2028b', z: 1 }, { n: 'a\nb' }]
  },
  {
    rule: 'what is no regular expression meets nothing',
    versions: BOTH,
    data: [{ n: '(' }],
    actions: [update("$[?match(@.n, '(')]", { z: 1 })],
    becomes: [{ n: '(' }],
    warns: /has no match/
  },
  ...['$.a[', 'a.b', '$.a[?@.b = 1]', "$[?('x' in @.tags)]", '$[?lower(@.a)]'].map(
    (target): Row => ({
      rule: `${target} is no path`,
      versions: BOTH,
      data: {},
      actions: [{ target, remove: true }],
      fails: /#\/actions\/0 .* is not a JSONPath \(RFC 9535\): /
    })
  ),
  {
    rule: 'names of prototypes are ordinary names',
    versions: BOTH,
    data: { constructor: { a: 1 } },
    actions: [
      { target: at('$.constructor'), update: JSON.parse('{"__proto__":{"polluted":1}}') },
      { target: at('$.toString'), remove: true },
      { target: at('$.constructor.__proto__'), update: { prototype: 1 } }
    ],
    becomes: JSON.parse('{"constructor":{"a":1,"__proto__":{"polluted":1,"prototype":1}}}'),
    warns: /actions\/1/
  }
]

interface Outcome {
  data: unknown
  remarks: string
}

async function play({ data, actions }: Row, version: Version, form: 'json' | 'yaml') {
  using folder = temporaryFolder()
  const write = form === 'json' ? JSON.stringify : stringify
  const document = join(folder.path, `openapi.${form}`)
  const overlay = join(folder.path, `change.${form}`)
  const info = { title: 't', version: '1' }
  writeFileSync(document, write({ openapi: '3.1.0', info, paths: {}, 'x-data': data }))
  writeFileSync(overlay, write({ overlay: `${version}.0`, info, actions }))
  return await convert(document, [overlay])
}

async function convert(document: string, overlay: readonly string[]): Promise<Outcome> {
  const { text, findings } = await convertDocument({
    document,
    overlay,
    patch: [],
    to: '3.1',
    bundle: false,
    allowRemoteRefs: false,
    allowRefsOutside: false,
    file: join(dirname(document), 'out.json')
  })
  const remarks = findings.map(({ where, text: about }) => `${where}: ${about}`).join('\n')
  return { data: JSON.parse(text)['x-data'], remarks }
}

for (const [title, rows] of Object.entries({
  merging: MERGE,
  targets: TARGETS,
  removals: REMOVALS,
  copies: COPIES,
  order: ORDER,
  paths: PATHS
})) {
  describe(title, () => {
    for (const row of rows) {
      for (const version of row.versions) {
        test(`${version}: ${row.rule}`, async () => {
          for (const form of ['json', 'yaml'] as const) {
            if (row.fails !== undefined) {
              await assert.rejects(play(row, version, form), {
                name: 'UserError',
                message: row.fails
              })
              continue
            }
            const { data, remarks } = await play(row, version, form)
            assert.deepEqual(data, row.becomes)
            assert.match(remarks, row.warns ?? /^$/)
          }
        })
      }
    }
  })
}

test('nothing of this changed what objects are', () => {
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  assert.equal(Object.hasOwn(Object.prototype, 'prototype'), false)
})

describe('a file that is no overlay', () => {
  const info = { title: 't', version: '1' }
  const actions = [{ target: '$', update: {} }]
  const rows: [string, unknown, RegExp][] = [
    ['a list', [], /is not an overlay: it is not an object/],
    ['no version', { info, actions }, /is not an overlay: it has no member overlay/],
    [
      'a later version',
      { overlay: '1.2.0', info, actions },
      /#\/overlay is 1\.2\.0; nonet supports/
    ],
    ['another major', { overlay: '2.0.0', info, actions }, /#\/overlay is 2\.0\.0/],
    ['no info', { overlay: '1.0.0', actions }, /#\/info has no title/],
    ['no version of it', { overlay: '1.0.0', info: { title: 't' }, actions }, /has no version/],
    ['no actions', { overlay: '1.0.0', info }, /#\/actions must be an array with at least one/],
    ['an empty list', { overlay: '1.0.0', info, actions: [] }, /#\/actions must be an array/],
    [
      'no target',
      { overlay: '1.0.0', info, actions: [{ update: {} }] },
      /#\/actions\/0 has no target/
    ],
    ['no object', { overlay: '1.0.0', info, actions: ['x'] }, /#\/actions\/0 is not an object/],
    [
      'a slip of the pen',
      { overlay: '1.0.0', info, actions: [{ target: '$', udpate: {} }] },
      /#\/actions\/0 has an unknown member udpate/
    ],
    [
      'a removal that is no switch',
      { overlay: '1.0.0', info, actions: [{ target: '$', remove: 'yes' }] },
      /#\/actions\/0\/remove must be true or false/
    ],
    [
      'extends that is no address',
      { overlay: '1.0.0', info, actions, extends: 1 },
      /#\/extends is no/
    ]
  ]
  for (const [what, overlay, message] of rows) {
    test(what, async () => {
      using folder = temporaryFolder()
      const document = join(folder.path, 'openapi.json')
      writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info, paths: {} }))
      writeFileSync(join(folder.path, 'o.json'), JSON.stringify(overlay))
      await assert.rejects(convert(document, [join(folder.path, 'o.json')]), { message })
    })
  }
  test('extensions and patch versions are fine', async () => {
    using folder = temporaryFolder()
    const document = join(folder.path, 'openapi.json')
    writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info, paths: {}, 'x-data': 1 }))
    const overlay = { overlay: '1.0.7', info, 'x-a': 1, actions: [{ ...actions[0], 'x-b': 1 }] }
    writeFileSync(join(folder.path, 'o.json'), JSON.stringify(overlay))
    const { data, remarks } = await convert(document, [join(folder.path, 'o.json')])
    assert.deepEqual([data, remarks], [1, ''])
  })
})

describe('relative references', () => {
  const info = { title: 't', version: '1' }
  const written = {
    file: { $ref: 'parts/pet.yaml#/Pet' },
    up: { $ref: '../other.yaml' },
    self: { $ref: '../api/openapi.json#/components/schemas/A' },
    own: { $ref: '#/components/schemas/A' },
    web: { $ref: 'https://example.com/x.json' },
    default: { $ref: 'kept.yaml' },
    example: { $ref: 'moved.yaml', more: { $ref: 'moved.yaml' } },
    properties: { example: { $ref: 'moved.yaml' }, externalValue: { type: 'string' } },
    more: { externalValue: 'big.bin', operationRef: 'links.yaml#/x' },
    discriminator: { mapping: { file: 'cat.yaml', name: 'Cat', own: '#/components/schemas/Cat' } }
  }
  const moved = {
    file: { $ref: '../overlays/parts/pet.yaml#/Pet' },
    up: { $ref: '../other.yaml' },
    self: { $ref: '#/components/schemas/A' },
    own: { $ref: '#/components/schemas/A' },
    web: { $ref: 'https://example.com/x.json' },
    default: { $ref: 'kept.yaml' },
    example: { $ref: 'moved.yaml', more: { $ref: '../overlays/moved.yaml' } },
    properties: { example: { $ref: '../overlays/moved.yaml' }, externalValue: { type: 'string' } },
    more: { externalValue: '../overlays/big.bin', operationRef: '../overlays/links.yaml#/x' },
    discriminator: {
      mapping: { file: '../overlays/cat.yaml', name: 'Cat', own: '#/components/schemas/Cat' }
    }
  }
  for (const version of BOTH) {
    test(`${version}: lead where they led from the overlay`, async () => {
      using folder = temporaryFolder()
      for (const name of ['api', 'overlays']) mkdirSync(join(folder.path, name))
      const document = join(folder.path, 'api/openapi.json')
      const overlay = join(folder.path, 'overlays/o.json')
      writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info, paths: {}, 'x-data': {} }))
      const actions = [{ target: "$['x-data']", update: written }]
      writeFileSync(overlay, JSON.stringify({ overlay: `${version}.0`, info, actions }))
      const { data } = await convert(document, [overlay])
      assert.deepEqual(data, moved)
    })
  }
})
