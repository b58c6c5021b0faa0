import { type BodyRow, contentOf, testBodies } from '../../../../test/support/mock-requests.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }

const XML = 'application/xml'
const animal = {
  type: 'object',
  xml: { name: 'animal', namespace: 'urn:x', prefix: 'p' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    size: { type: 'integer', xml: { attribute: true, name: 'cm' } },
    name: { type: 'string', xml: { name: 'label' } },
    ok: { type: 'boolean' },
    code: { type: 'string', xml: { namespace: 'urn:c', prefix: 'c' } },
    tags: {
      type: 'array',
      xml: { wrapped: true },
      items: { type: 'string', xml: { name: 'tag' } }
    },
    legs: { type: 'array', items: { type: 'integer', xml: { name: 'leg' } } },
    home: { type: 'object', properties: { zip: integer } },
    note: { type: ['string', 'null'] }
  },
  required: ['name'],
  additionalProperties: false
}
const xml = contentOf(XML, animal)

const XML_ROWS: BodyRow[] = [
  [
    'names and attributes',
    xml,
    XML,
    '<animal id="5"><label>a &lt; &#65;</label><ok>true</ok></animal>',
    { id: 5, name: 'a < A', ok: true }
  ],
  [
    'wrapped and plain lists',
    xml,
    XML,
    '<a><label>x</label><tags><tag>1</tag><tag>2</tag></tags><leg>1</leg><leg>2</leg></a>',
    { name: 'x', tags: ['1', '2'], legs: [1, 2] }
  ],
  ['an empty wrapped list', xml, XML, '<a><label>x</label><tags/></a>', { name: 'x', tags: [] }],
  [
    'an attribute of another name',
    xml,
    XML,
    '<a cm="9"><label>x</label></a>',
    { name: 'x', size: 9 }
  ],
  [
    'prefixes and namespaces',
    xml,
    XML,
    '<p:animal xmlns:p="urn:x"><p:label>x</p:label></p:animal>',
    { name: 'x' }
  ],
  ['an object inside', xml, 'text/xml', '<a/>', [415]],
  [
    'a nested object',
    xml,
    XML,
    '<a><label>x</label><home><zip>5</zip></home></a>',
    { name: 'x', home: { zip: 5 } }
  ],
  [
    'nothing said by xsi:nil',
    xml,
    XML,
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><label>x</label><note xsi:nil="true"/></a>',
    { name: 'x', note: null }
  ],
  [
    'a namespace of its own',
    xml,
    XML,
    '<a xmlns:q="urn:c"><label>x</label><q:code>1</q:code></a>',
    { name: 'x', code: '1' }
  ],
  [
    'another namespace',
    xml,
    XML,
    '<a xmlns:c="urn:d"><label>x</label><c:code>1</c:code></a>',
    ['additionalProperties']
  ],
  ['CDATA', xml, XML, '<a><label><![CDATA[<x>]]></label></a>', { name: '<x>' }],
  ['not a number', xml, XML, '<a id="x"><label>x</label></a>', ['type']],
  [
    'an element too many',
    xml,
    XML,
    '<a><label>x</label><other>1</other></a>',
    ['additionalProperties']
  ],
  ['an element missing', xml, XML, '<a/>', ['required']],
  ['not closed', xml, XML, '<a><label>x</label>', ['xml']],
  ['not XML', xml, XML, 'hello', ['xml']],
  [
    'entities are not expanded',
    xml,
    XML,
    '<!DOCTYPE a [<!ENTITY e "x">]><a><label>&e;</label></a>',
    ['xml']
  ],
  ['nested too deeply', xml, XML, '<a>'.repeat(100_000), ['xml']],
  [
    'a suffix',
    contentOf('application/soap+xml', animal),
    'application/soap+xml',
    '<a><label>x</label></a>',
    { name: 'x' }
  ],
  ['described as a string', contentOf(XML, text), XML, '<a/>', '<a/>'],
  [
    'without a schema',
    { content: { [XML]: {} } },
    XML,
    '<a><b>1</b><b>2</b><c d="3"/></a>',
    { b: ['1', '2'], c: { d: '3' } }
  ],
  [
    '__proto__ as an element',
    { content: { [XML]: {} } },
    XML,
    '<a><__proto__>1</__proto__></a>',
    { ['__proto__']: '1' }
  ]
]

testBodies(XML_ROWS)
