import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUNDLED, openUniverse } from '../dataset/folder.ts'
import { colourOf, darker, lighter, mix } from './colours.ts'

test('colours by their words', () => {
  assert.equal(colourOf('black'), '#26262b')
  assert.equal(colourOf('Black'), '#26262b')
  assert.equal(colourOf('black, white'), '#26262b')
  assert.equal(colourOf('white plumes'), '#f1f0ec')
  assert.equal(colourOf('blue grey'), mix('#4a7fb5', '#8f959b', 0.5))
  assert.equal(colourOf('unknown'), undefined)
  assert.equal(colourOf('constructor'), undefined)
})

test('mixtures', () => {
  assert.equal(mix('#000000', '#ffffff', 0), '#000000')
  assert.equal(mix('#000000', '#ffffff', 1), '#ffffff')
  assert.equal(mix('#102030', '#304050', 0.5), '#203040')
  assert.equal(lighter('#000000', 0.5), '#808080')
  assert.equal(darker('#0d1017', 0.9), '#0d1017')
})

/** Values of the bundled data that are not colours. */
const NONE = new Set(['n/a', 'none', 'unknown', 'shifting'])

test('every colour of the bundled people is known', async () => {
  const { types } = await openUniverse(BUNDLED)
  for (const { values } of types.people.values()) {
    for (const field of ['hair_color', 'skin_color', 'eye_color']) {
      const text = String(values[field])
      assert.equal(colourOf(text) === undefined, NONE.has(text), text)
    }
  }
})
