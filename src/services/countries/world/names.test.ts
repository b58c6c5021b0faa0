import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryFlag, countryFlagCodes, subdivisionFlag } from './flag.ts'
import { fold } from './fold.ts'
import { createLocalName } from './local-name.ts'
import { createOffsets } from './offset.ts'

test('a flag is two regional indicators', () => {
  assert.equal(countryFlag('BR'), '🇧🇷')
  assert.equal(countryFlagCodes('BR'), 'U+1F1E7 U+1F1F7')
  assert.equal(countryFlagCodes('AZ'), 'U+1F1E6 U+1F1FF')
})

test('three subdivisions have a flag', () => {
  assert.equal(subdivisionFlag('GB-SCT'), '🏴󠁧󠁢󠁳󠁣󠁴󠁿')
  assert.equal(subdivisionFlag('US-TX'), null)
})

for (const [text, folded] of [
  ['Côte d’Ivoire', "cote d'ivoire"],
  ['Åland', 'aland'],
  ['Føroyar', 'foroyar'],
  ['Türkiye', 'turkiye'],
  ['Łódź', 'lodz'],
  ['Ísland', 'island'],
  ['STRAẞE', 'strasse'],
  ['日本', '日本']
] as const) {
  test(`${text} is looked for as ${folded}`, () => assert.equal(fold(text), folded))
}

test('offsets follow daylight saving time', () => {
  const offsetAt = createOffsets()
  const winter = new Date('2026-01-15T12:00:00Z')
  const summer = new Date('2026-07-15T12:00:00Z')
  assert.equal(offsetAt('Europe/Berlin', winter), '+01:00')
  assert.equal(offsetAt('Europe/Berlin', summer), '+02:00')
  assert.equal(offsetAt('Asia/Kathmandu', winter), '+05:45')
  assert.equal(offsetAt('America/Sao_Paulo', winter), '-03:00')
  assert.equal(offsetAt('Africa/Abidjan', winter), '+00:00')
  assert.equal(offsetAt('Europe/Berlin', new Date('2026-03-29T00:59:59Z')), '+01:00')
  assert.equal(offsetAt('Europe/Berlin', new Date('2026-03-29T01:00:00Z')), '+02:00')
})

test('names are available in the languages of CLDR, and in no others', () => {
  const localName = createLocalName()
  assert.equal(localName('region', 'DE', 'sv'), 'Tyskland')
  assert.equal(localName('language', 'de', 'fr'), 'allemand')
  assert.equal(localName('region', 'DE', 'xq'), undefined)
  assert.equal(localName('region', 'DE', 'sv-u-co-phonebk'), undefined)
  assert.equal(localName('language', 'qqq', 'sv'), null)
  assert.equal(localName('region', 'DE', 'sv'), 'Tyskland', 'a cached language')
})
