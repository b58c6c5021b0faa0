import { type ParameterRow, testParameters } from '../../../../test/support/mock-requests.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const integers = { type: 'array', items: integer }
const texts = { type: 'array', items: text }
const color = {
  type: 'object',
  properties: { R: integer, G: integer, name: text },
  additionalProperties: false
}

const PATH: ParameterRow[] = [
  ['simple', { schema: integer }, { path: '5' }, 5],
  ['simple, not a number', { schema: integer }, { path: 'five' }, ['type']],
  ['simple, empty', { schema: text }, { path: '' }, ['required']],
  ['simple, decoded', { schema: text }, { path: 'a%20b%2F' }, 'a b/'],
  ['simple list', { schema: integers }, { path: '1,2,3' }, [1, 2, 3]],
  ['simple list of one', { schema: integers }, { path: '1' }, [1]],
  ['simple list, bad item', { schema: integers }, { path: '1,x' }, ['type']],
  ['simple list, encoded comma inside', { schema: texts }, { path: 'a%2Cb,c' }, ['a,b', 'c']],
  ['simple list, all commas encoded', { schema: texts }, { path: 'a%2Cb' }, ['a', 'b']],
  [
    'list behind a reference',
    { schema: { $ref: '#/components/schemas/Integers' } },
    { path: '1,2' },
    [1, 2]
  ],
  ['simple object', { schema: color }, { path: 'R,100,G,200' }, { R: 100, G: 200 }],
  ['simple object, odd', { schema: color }, { path: 'R,100,G' }, ['style']],
  ['simple object, unknown member', { schema: color }, { path: 'X,1' }, ['additionalProperties']],
  [
    'simple object, exploded',
    { schema: color, explode: true },
    { path: 'R=100,G=200' },
    { R: 100, G: 200 }
  ],
  [
    'simple object, exploded, no pairs',
    { schema: color, explode: true },
    { path: 'R,100' },
    ['style']
  ],
  [
    'spaces of version 2',
    { schema: integers, 'x-nonet-delimiter': ' ' },
    { path: '1%202' },
    [1, 2]
  ],
  ['pipes of version 2', { schema: integers, 'x-nonet-delimiter': '|' }, { path: '1|2' }, [1, 2]],
  ['tabs of version 2', { schema: integers, 'x-nonet-delimiter': '\t' }, { path: '1%092' }, [1, 2]],
  ['label', { schema: integer, style: 'label' }, { path: '.5' }, 5],
  ['label without dot', { schema: integer, style: 'label' }, { path: '5' }, ['style']],
  ['label, empty', { schema: integer, style: 'label' }, { path: '' }, ['required']],
  ['label, only a dot', { schema: integer, style: 'label' }, { path: '.' }, ['required']],
  ['label with a fraction', { schema: { type: 'number' }, style: 'label' }, { path: '.1.5' }, 1.5],
  ['label list', { schema: integers, style: 'label' }, { path: '.1,2' }, [1, 2]],
  ['label list by dots', { schema: integers, style: 'label' }, { path: '.1.2' }, [1, 2]],
  [
    'label list, exploded',
    { schema: integers, style: 'label', explode: true },
    { path: '.1.2' },
    [1, 2]
  ],
  ['label object', { schema: color, style: 'label' }, { path: '.R,1,G,2' }, { R: 1, G: 2 }],
  [
    'label object, exploded',
    { schema: color, style: 'label', explode: true },
    { path: '.R=1.G=2' },
    { R: 1, G: 2 }
  ],
  ['matrix', { schema: integer, style: 'matrix' }, { path: ';color=5' }, 5],
  ['matrix in capitals', { schema: integer, style: 'matrix' }, { path: ';Color=5' }, 5],
  ['matrix without semicolon', { schema: integer, style: 'matrix' }, { path: '5' }, ['style']],
  ['matrix of another name', { schema: integer, style: 'matrix' }, { path: ';x=5' }, ['style']],
  ['matrix, empty value', { schema: text, style: 'matrix' }, { path: ';color' }, ['required']],
  [
    'matrix given twice',
    { schema: integer, style: 'matrix' },
    { path: ';color=1;color=2' },
    ['style']
  ],
  ['matrix list', { schema: integers, style: 'matrix' }, { path: ';color=1,2' }, [1, 2]],
  [
    'matrix list, exploded',
    { schema: integers, style: 'matrix', explode: true },
    { path: ';color=1;color=2' },
    [1, 2]
  ],
  ['matrix object', { schema: color, style: 'matrix' }, { path: ';color=R,1,G,2' }, { R: 1, G: 2 }],
  [
    'matrix object, exploded',
    { schema: color, style: 'matrix', explode: true },
    { path: ';R=1;G=2' },
    { R: 1, G: 2 }
  ],
  ['content', { content: { 'application/json': { schema: integers } } }, { path: '[1,2]' }, [1, 2]],
  [
    'content that is not JSON',
    { content: { 'application/json': { schema: integers } } },
    { path: '[1' },
    ['style']
  ],
  [
    'content is not coerced',
    { content: { 'application/json': { schema: integers } } },
    { path: '["1"]' },
    ['type']
  ]
]

const HEADER: ParameterRow[] = [
  ['simple', { schema: integer }, { header: '5' }, 5],
  ['required', { schema: integer, required: true }, {}, ['required']],
  ['list', { schema: integers }, { header: '1, 2,3' }, [1, 2, 3]],
  ['object', { schema: color }, { header: 'R,1,G,2' }, { R: 1, G: 2 }],
  ['object, exploded', { schema: color, explode: true }, { header: 'R=1,G=2' }, { R: 1, G: 2 }],
  ['percent signs mean themselves', { schema: text }, { header: 'a%20b' }, 'a%20b'],
  [
    'content',
    { content: { 'application/json': { schema: color } } },
    { header: '{"R":1}' },
    { R: 1 }
  ]
]

testParameters('path', PATH)
testParameters('header', HEADER)
