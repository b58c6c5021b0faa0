/** JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) on a document, by what `convert` makes of it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { stringify } from 'yaml'
import { convertDocument } from '../../src/host/mock-tools.ts'
import { temporaryFolder } from '../support/launcher.ts'

interface Row {
  rule: string
  /** What the document has under `x-data`; pointers of a patch start there. */
  data: unknown
  patch: unknown
  becomes?: unknown
  fails?: RegExp
}

const OPERATIONS: readonly Row[] = [
  {
    rule: 'add a member, and replace one that is there',
    data: { a: 1 },
    patch: [
      { op: 'add', path: '/b', value: [null] },
      { op: 'add', path: '/a', value: 2 }
    ],
    becomes: { a: 2, b: [null] }
  },
  {
    rule: 'add to a list: before an item, at the end, by number or by a dash',
    data: ['b'],
    patch: [
      { op: 'add', path: '/0', value: 'a' },
      { op: 'add', path: '/2', value: 'c' },
      { op: 'add', path: '/-', value: 'd' }
    ],
    becomes: ['a', 'b', 'c', 'd']
  },
  {
    rule: 'names with slashes and tildes, and the empty name',
    data: { 'a/b': 1, 'm~n': 2, '': 3 },
    patch: [
      { op: 'remove', path: '/a~1b' },
      { op: 'replace', path: '/m~0n', value: 4 },
      { op: 'remove', path: '/' }
    ],
    becomes: { 'm~n': 4 }
  },
  {
    rule: 'remove from an object and from a list',
    data: { a: [1, 2, 3], b: 1 },
    patch: [
      { op: 'remove', path: '/a/1' },
      { op: 'remove', path: '/b' }
    ],
    becomes: { a: [1, 3] }
  },
  {
    rule: 'move, also within a list',
    data: { a: { b: 1 }, l: [1, 2, 3] },
    patch: [
      { op: 'move', from: '/a/b', path: '/c' },
      { op: 'move', from: '/l/0', path: '/l/2' }
    ],
    becomes: { a: {}, c: 1, l: [2, 3, 1] }
  },
  {
    rule: 'copy, which later changes do not follow',
    data: { a: { b: [1] } },
    patch: [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'add', path: '/c/b/-', value: 2 },
      { op: 'add', path: '/a/b/-', value: 3 }
    ],
    becomes: { a: { b: [1, 3] }, c: { b: [1, 2] } }
  },
  {
    rule: 'test: the order of members does not count, that of items does',
    data: { a: { b: 1, c: [1, 2] } },
    patch: [{ op: 'test', path: '/a', value: { c: [1, 2], b: 1 } }],
    becomes: { a: { b: 1, c: [1, 2] } }
  },
  {
    rule: 'a test that fails',
    data: { a: [1, 2] },
    patch: [{ op: 'test', path: '/a', value: [2, 1] }],
    fails: /#\/0 tests for another value than the one at #\/x-data\/a/
  },
  {
    rule: 'the whole document may be replaced by an object',
    data: 1,
    patch: [{ op: 'replace', path: '', value: { openapi: '3.1.0', 'x-data': 2 } }],
    becomes: 2
  },
  {
    rule: 'by nothing else',
    data: 1,
    patch: [{ op: 'replace', path: '', value: [] }],
    fails: /is no longer an object after the changes/
  },
  {
    rule: 'unknown members of an operation do not count',
    data: {},
    patch: [{ op: 'add', path: '/a', value: 1, comment: 'because' }],
    becomes: { a: 1 }
  },
  ...(
    [
      [[{ op: 'remove', path: '/nope' }], /#\/0 points to a missing value: #\/x-data\/nope/],
      [[{ op: 'replace', path: '/nope', value: 1 }], /#\/0 points to a missing value/],
      [[{ op: 'add', path: '/nope/a', value: 1 }], /#\/0 points to a missing value/],
      [[{ op: 'add', path: '/l/3', value: 1 }], /#\/0 points to a missing value/],
      [[{ op: 'add', path: '/l/01', value: 1 }], /#\/0 has 01 where an array index is expected/],
      [[{ op: 'remove', path: '/l/-' }], /#\/0 points to a missing value/],
      [[{ op: 'copy', from: '/nope', path: '/a' }], /#\/0 points to a missing value/],
      [[{ op: 'move', from: '/a', path: '/a/b' }], /#\/0 moves a value into itself/],
      [
        [
          { op: 'add', path: '/a/b', value: 1 },
          { op: 'nope', path: '/a' }
        ],
        /#\/1 has an unknown op/
      ],
      [[{ op: 'add', path: '/a' }], /#\/0 has no value/],
      [[{ op: 'move', path: '/a' }], /#\/0 has a from that is not a JSON pointer/],
      [[{ op: 'add', path: 'a', value: 1 }], /#\/0 has a path that is not a JSON pointer/],
      [[{ op: 'add', path: '/a~2', value: 1 }], /#\/0 has a path that is not a JSON pointer/],
      [['add'], /#\/0 is not an object/]
    ] as const
  ).map(
    ([patch, fails]): Row => ({
      rule: `${JSON.stringify(patch)} is refused`,
      data: { a: {}, l: [1] },
      patch,
      fails
    })
  )
]

const MERGES: readonly Row[] = [
  {
    rule: 'members go in, null takes away, what is not named stays',
    data: { a: 1, b: { c: 1, d: 2 }, e: 3 },
    patch: { a: 2, b: { c: null, f: 4 }, g: 5 },
    becomes: { a: 2, b: { d: 2, f: 4 }, e: 3, g: 5 }
  },
  {
    rule: 'a list replaces a list',
    data: { a: [1, 2] },
    patch: { a: [null, 3] },
    becomes: { a: [null, 3] }
  },
  {
    rule: 'an object replaces what is none, without its nulls',
    data: { a: [1], b: 'x' },
    patch: { a: { c: null, d: { e: null } }, b: { f: 1 }, g: { h: null } },
    becomes: { a: { d: {} }, b: { f: 1 }, g: {} }
  },
  {
    rule: 'null for what is not there changes nothing',
    data: { a: 1 },
    patch: { b: null },
    becomes: { a: 1 }
  }
]

/** The same below `x-data`; what is no patch stays what it is. */
function placed(patch: unknown): unknown {
  if (!Array.isArray(patch)) return { 'x-data': patch }
  return patch.map((item) => {
    if (typeof item !== 'object') return item
    const moved = { ...item }
    const isWhole = item.path === ''
    for (const name of ['path', 'from']) {
      if (/^\//.test(item[name] ?? '') && !isWhole) moved[name] = `/x-data${item[name]}`
    }
    return moved
  })
}

async function play({ data, patch }: Row, form: 'json' | 'yaml'): Promise<unknown> {
  using folder = temporaryFolder()
  const document = join(folder.path, 'openapi.json')
  const file = join(folder.path, `patch.${form}`)
  const info = { title: 't', version: '1' }
  writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info, paths: {}, 'x-data': data }))
  writeFileSync(file, (form === 'json' ? JSON.stringify : stringify)(placed(patch)))
  const { text, findings } = await convertDocument({
    document,
    patch: [file],
    overlay: [],
    to: '3.1',
    bundle: false,
    allowRemoteRefs: false,
    allowRefsOutside: false,
    file: undefined
  })
  assert.deepEqual(findings, [])
  return JSON.parse(text)['x-data']
}

for (const [title, rows] of Object.entries({ 'JSON Patch': OPERATIONS, 'Merge Patch': MERGES })) {
  describe(title, () => {
    for (const row of rows) {
      test(row.rule, async () => {
        for (const form of ['json', 'yaml'] as const) {
          if (row.fails === undefined) assert.deepEqual(await play(row, form), row.becomes)
          else await assert.rejects(play(row, form), { name: 'UserError', message: row.fails })
        }
      })
    }
  })
}
