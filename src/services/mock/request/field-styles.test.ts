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

const QUERY: ParameterRow[] = [
  ['form', { schema: integer }, { query: 'color=5' }, 5],
  ['another case', { schema: integer }, { query: 'COLOR=5' }, 5],
  ['absent', { schema: integer }, { query: 'x=1' }, 'absent'],
  ['absent but required', { schema: integer, required: true }, { query: '' }, ['required']],
  ['empty counts as absent', { schema: integer }, { query: 'color=' }, 'absent'],
  ['empty but required', { schema: text, required: true }, { query: 'color=' }, ['required']],
  ['a plus is a space', { schema: text }, { query: 'color=a+b%2B' }, 'a b+'],
  ['an invalid encoding is kept', { schema: text }, { query: 'color=%zz' }, '%zz'],
  ['boolean', { schema: { type: 'boolean' } }, { query: 'color=true' }, true],
  ['not a boolean', { schema: { type: 'boolean' } }, { query: 'color=yes' }, ['type']],
  ['a number in another form', { schema: { type: 'number' } }, { query: 'color=1e3' }, 1000],
  ['a string is kept', { schema: text }, { query: 'color=5' }, '5'],
  ['too large', { schema: { type: 'integer', maximum: 4 } }, { query: 'color=5' }, ['maximum']],
  [
    'not in the list',
    { schema: { type: 'string', enum: ['a', 'b'] } },
    { query: 'color=c' },
    ['enum']
  ],
  ['numbers of an enum', { schema: { enum: [1, 2] } }, { query: 'color=2' }, 2],
  ['sent twice', { schema: integer }, { query: 'color=1&color=2' }, ['type']],
  ['exploded list', { schema: integers }, { query: 'color=1&color=2' }, [1, 2]],
  ['exploded list of one', { schema: integers }, { query: 'color=1' }, [1]],
  ['exploded list is not split', { schema: texts }, { query: 'color=a,b' }, ['a,b']],
  ['joined list', { schema: integers, explode: false }, { query: 'color=1,2' }, [1, 2]],
  [
    'joined list, the last counts',
    { schema: integers, explode: false },
    { query: 'color=1&color=2,3' },
    [2, 3]
  ],
  ['joined list, encoded', { schema: integers, explode: false }, { query: 'color=1%2C2' }, [1, 2]],
  [
    'text or list: a text',
    { schema: { type: ['string', 'array'], items: text }, explode: false },
    { query: 'color=a' },
    'a'
  ],
  [
    'text or list: a list',
    { schema: { type: ['string', 'array'], items: text }, explode: false },
    { query: 'color=a,b' },
    ['a', 'b']
  ],
  ['exploded object', { schema: color }, { query: 'R=1&g=2&other=3' }, { R: 1, G: 2 }],
  ['exploded object, absent', { schema: color }, { query: 'other=3' }, 'absent'],
  ['exploded object as JSON', { schema: color }, { query: 'color=%7B%22R%22%3A1%7D' }, { R: 1 }],
  [
    'exploded open object',
    { schema: { type: 'object', additionalProperties: integer } },
    { query: 'a=1&__code=200' },
    { a: 1 }
  ],
  ['joined object', { schema: color, explode: false }, { query: 'color=R,1,G,2' }, { R: 1, G: 2 }],
  ['joined object, odd', { schema: color, explode: false }, { query: 'color=R' }, ['style']],
  [
    'by spaces',
    { schema: integers, style: 'spaceDelimited' },
    { query: 'color=1%202+3' },
    [1, 2, 3]
  ],
  [
    'by spaces, repeated',
    { schema: integers, style: 'spaceDelimited', explode: true },
    { query: 'color=1&color=2' },
    [1, 2]
  ],
  ['by pipes', { schema: integers, style: 'pipeDelimited' }, { query: 'color=1|2' }, [1, 2]],
  [
    'by pipes, encoded',
    { schema: integers, style: 'pipeDelimited' },
    { query: 'color=1%7C2' },
    [1, 2]
  ],
  [
    'by tabs',
    { schema: integers, explode: false, 'x-nonet-delimiter': '\t' },
    { query: 'color=1%092' },
    [1, 2]
  ],
  [
    'deep',
    { schema: color, style: 'deepObject' },
    { query: 'color[R]=1&color[G]=2' },
    { R: 1, G: 2 }
  ],
  [
    'deep, encoded brackets',
    { schema: color, style: 'deepObject' },
    { query: 'Color%5BR%5D=1' },
    { R: 1 }
  ],
  [
    'deep, unknown member',
    { schema: color, style: 'deepObject' },
    { query: 'color[X]=1' },
    ['additionalProperties']
  ],
  ['deep, bad brackets', { schema: color, style: 'deepObject' }, { query: 'color[R=1' }, ['style']],
  ['deep, absent', { schema: color, style: 'deepObject' }, { query: 'color=1' }, 'absent'],
  [
    'deep, a text or a list',
    { schema: { type: ['string', 'array'], items: { type: 'string' } }, style: 'deepObject' },
    { query: 'color=red' },
    'red'
  ],
  [
    'deep, nested',
    {
      schema: { type: 'object', properties: { a: { type: 'object', properties: { b: integer } } } },
      style: 'deepObject'
    },
    { query: 'color[a][b]=1' },
    { a: { b: 1 } }
  ],
  [
    'deep, a list inside',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][1]=2&color[a][0]=1' },
    { a: [1, 2] }
  ],
  [
    'deep, a list by empty brackets',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][]=1&color[a][]=2' },
    { a: [1, 2] }
  ],
  [
    'deep, a huge index',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][999999999]=1' },
    { a: [1] }
  ],
  [
    'deep without end',
    { schema: color, style: 'deepObject' },
    { query: `color${'[a]'.repeat(5000)}=1` },
    ['style']
  ],
  [
    'content',
    { content: { 'application/json': { schema: color } } },
    { query: 'color=%7B%22R%22%3A1%7D' },
    { R: 1 }
  ],
  [
    'content that is not JSON',
    { content: { 'application/json': { schema: color } } },
    { query: 'color=%7B' },
    ['style']
  ],
  [
    'content, required',
    { content: { 'application/json': {} }, required: true },
    { query: '' },
    ['required']
  ],
  [
    'content that is a text',
    { content: { 'text/plain': { schema: { maxLength: 2 } } } },
    { query: 'color=abc' },
    ['maxLength']
  ]
]

const COOKIE: ParameterRow[] = [
  ['form', { schema: integer }, { cookie: 'a=b; color=5' }, 5],
  ['bad value', { schema: integer }, { cookie: 'color=x' }, ['type']],
  ['required', { schema: integer, required: true }, { cookie: 'a=b' }, ['required']],
  ['no cookies at all', { schema: integer, required: true }, {}, ['required']],
  ['quotes', { schema: text }, { cookie: 'color="a"' }, 'a'],
  ['exploded list', { schema: integers }, { cookie: 'color=1; color=2' }, [1, 2]],
  ['joined list', { schema: integers, explode: false }, { cookie: 'color=1,2' }, [1, 2]],
  ['joined object', { schema: color, explode: false }, { cookie: 'color=R,1,G,2' }, { R: 1, G: 2 }],
  ['exploded object', { schema: color }, { cookie: 'R=1; G=2' }, { R: 1, G: 2 }],
  ['a plus is a plus', { schema: texts, explode: false }, { cookie: 'color=a+b,c' }, ['a+b', 'c']]
]

testParameters('query', QUERY)
testParameters('cookie', COOKIE)
