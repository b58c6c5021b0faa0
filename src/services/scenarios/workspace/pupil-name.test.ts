import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_NAME_LENGTH, readPupilName } from './pupil-name.ts'

test('a name keeps its letters, and loses spaces at its ends and control characters', () => {
  assert.equal(readPupilName('  Ada \t Lovelace\n'), 'Ada Lovelace')
  assert.equal(readPupilName('Zoe\u0308'), 'Zo\u00eb')
  assert.equal(readPupilName('<b>"Bobby"</b>'), '<b>"Bobby"</b>')
  assert.equal(readPupilName('\u05e0\u05d5\u05e2\u05d4'), '\u05e0\u05d5\u05e2\u05d4')
  assert.equal(readPupilName('👩🏽\u200d🚀'), '👩🏽\u200d🚀')
  assert.equal(readPupilName('A\u0000d\u001b[31ma'), 'Ad[31ma')
})

test('a name cannot turn the text around it, or look empty', () => {
  assert.equal(readPupilName('Ada\u202e\u2066'), 'Ada')
  for (const value of ['', '   ', '\u200b', '\u202e', '\u0301', undefined, 7, 'a\ud800']) {
    assert.equal(readPupilName(value), undefined, JSON.stringify(value))
  }
})

test('a name that is too long is rejected, counted in characters', () => {
  assert.equal(readPupilName('😀'.repeat(MAX_NAME_LENGTH)), '😀'.repeat(MAX_NAME_LENGTH))
  assert.equal(readPupilName('a'.repeat(MAX_NAME_LENGTH + 1)), undefined)
})
