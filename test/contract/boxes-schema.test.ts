/** Schemas that mean harm, or only look like it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scenes } from './boxes-scene.ts'

/** Each level asks for the next one twice. */
function doubling(levels: number, place: string, next = '$ref'): string {
  const parts = Array.from({ length: levels }, (_, n) => {
    const twice = Array(2).fill(`{"${next}":"#/${place}/a${n + 1}"}`)
    return `"a${n}":{"allOf":[${twice}]}`
  })
  return `{${[...parts, `"a${levels}":{}`]}}`
}

const PATTERNS = Array.from({ length: 2200 }, (_, n) => `"(\\\\pL{1,1000})b${n}":true`)

scenes('I-2, schemas of any kind', {}, (boxes) => {
  const refused: [string, string, RegExp][] = [
    ['a promise', '{"$async":true,"required":["a"]}', /\$async/],
    [
      'a promise behind a reference',
      '{"$ref":"#/x","x":{"$async":true,"required":["a"]}}',
      /\$async/
    ],
    [
      'more schemas than anybody writes',
      `{"anyOf":[${Array(700).fill('{"$ref":"#/$defs/a"}')}],"$defs":{"a":{}}}`,
      /more than 600 schemas/
    ],
    ['a promise in a list', '{"allOf":[{"$async":false}]}', /\$async/],
    [
      'a reference into a default',
      `{"$ref":"#/default/a0","default":${doubling(26, 'default')}}`,
      /not a schema/
    ],
    [
      'a reference into a constant',
      `{"not":{"const":${doubling(26, 'not/const')}},"$ref":"#/not/const/a0"}`,
      /not a schema/
    ],
    [
      'a reference to a map with a count of its own',
      '{"$ref":"#/properties","properties":{"nonet:step":{},"a":true}}',
      /not a schema/
    ],
    [
      'one pattern too many',
      JSON.stringify({ anyOf: Array.from({ length: 51 }, (_, n) => ({ pattern: `a${n}` })) }),
      /more than 50 patterns/
    ],
    ['thousands of patterns', `{"patternProperties":{${PATTERNS}}}`, /more than 50 patterns/],
    ['a long pattern', JSON.stringify({ pattern: 'a'.repeat(1001) }), /more than 1000 characters/],
    [
      'repeats that add up',
      '{"anyOf":[{"pattern":"a{501}"},{"x":{"pattern":"b{1,500}"}}]}',
      /add up to more than 1000/
    ],
    [
      'repeats of something long',
      JSON.stringify({ pattern: `(${'\\pL'.repeat(300)}){900}` }),
      /repeats written out/
    ],
    ['a name that no object has', '{"properties":{"__proto__":{"type":"string"}}}', /__proto__/]
  ]
  for (const [title, schema, reason] of refused) {
    test(`${title} is refused`, { timeout: 20_000 }, async () => {
      const { ask, store } = boxes()
      const { status, text } = await ask('PUT /_schema/refused', schema)
      assert.equal(status, 400, text)
      assert.equal(JSON.parse(text).code, 'schema_invalid')
      assert.match(JSON.parse(text).reason, reason)
      await store('/refused', '{}')
    })
  }

  const held: [string, string, string, number][] = [
    ['work of an unknown word', `{"$ref":"#/x/a0","x":${doubling(26, 'x')}}`, '{}', 422],
    [
      'work with a count of its own',
      `{"$ref":"#/$defs/a0","$defs":${doubling(26, '$defs').replaceAll('"allOf"', '"nonet:step":-9,"allOf"')}}`,
      '{}',
      422
    ],
    [
      'work in dependencies',
      `{"dependencies":{"a":{"allOf":[${Array(2).fill('{"$ref":"#/dependencies/b"}')}]},"b":{"$ref":"#/x/a0"}},"x":${doubling(26, 'x')}}`,
      '{"a":1}',
      422
    ],
    ['work in a list', `{"$ref":"#/x/0/a0","x":[${doubling(26, 'x/0')}]}`, '{}', 422],
    [
      'a long text for a large pattern',
      '{"properties":{"a":{"pattern":"(.{1,20}b){40}$"}}}',
      `{"a":"${'a'.repeat(90_000)}"}`,
      422
    ],
    ['a property of every object', '{"properties":{"constructor":{"type":"string"}}}', '{}', 200],
    [
      'a property named so',
      '{"properties":{"constructor":{"type":"string"}}}',
      '{"constructor":1}',
      422
    ],
    ['a constant object, and a method of every object', '{"const":{"a":1}}', '{"valueOf":1}', 422],
    ['a listed object with such a name', '{"enum":[{"toString":1}]}', '{"toString":1}', 200],
    ['a required name of every object', '{"required":["valueOf"]}', '{}', 422],
    ['a required __proto__', '{"required":["__proto__"]}', '{}', 422],
    ['a required __proto__ that is there', '{"required":["__proto__"]}', '{"__proto__":1}', 200],
    [
      'a dependency on a name of every object',
      '{"dependentRequired":{"toString":["a"]}}',
      '{}',
      200
    ],
    [
      'an inherited name that nothing evaluates',
      '{"patternProperties":{"^a":true},"unevaluatedProperties":false}',
      '{"constructor":1}',
      422
    ],
    [
      'an inherited name behind a reference',
      '{"$ref":"#/x","x":{"patternProperties":{"^a":true}},"unevaluatedProperties":false}',
      '{"constructor":1}',
      422
    ],
    [
      'a name that looks like code',
      '{"patternProperties":{"^a":true},"required":["props0 = {};"]}',
      '{"props0 = {};":1}',
      200
    ],
    [
      'nullable beside a type',
      '{"properties":{"a":{"type":"string","nullable":true}}}',
      '{"a":null}',
      422
    ],
    ['nullable alone', '{"properties":{"a":{"nullable":true}}}', '{"a":1}', 200],
    [
      'nullable as a property',
      '{"properties":{"nullable":{"type":"string"}}}',
      '{"nullable":1}',
      422
    ],
    ['id', '{"id":"person","properties":{"a":{"id":1,"type":"string"}}}', '{"a":1}', 422],
    ['a constant object', '{"properties":{"a":{"const":{"b":{}}}}}', '{"a":{"b":{}}}', 200],
    ['a list of objects', '{"properties":{"a":{"enum":[{"b":[{}]}]}}}', '{"a":{"b":[{}]}}', 200],
    ['a property named const', '{"properties":{"const":{"type":"string"}}}', '{"const":1}', 422],
    [
      'the schema of schemas',
      '{"properties":{"a":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}',
      '{"a":{"type":"strin"}}',
      422
    ],
    [
      'an escape that is no repeat',
      '{"properties":{"a":{"pattern":"^\\\\x{2000}$"}}}',
      '{"a":"\\u2000"}',
      200
    ]
  ]
  for (const [index, [title, schema, record, status]] of held.entries()) {
    test(`${title} is understood`, { timeout: 20_000 }, async () => {
      const { ask, get } = boxes()
      const put = await ask(`PUT /_schema/held-${index}`, schema)
      assert.equal(put.status, 200, put.text)
      const answer = await ask(`POST /held-${index}`, record)
      assert.equal(answer.status, status, answer.text.slice(0, 300))
      if (status === 200) assert.equal((await get(`/held-${index}`)).length, 1)
    })
  }
})
