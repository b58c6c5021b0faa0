import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainWish, fake, REFERENCE_DATE } from './faker.ts'

const SEED = 5
const DAY_MS = 24 * 60 * 60 * 1000

const plain: [wish: object | string, expected: RegExp][] = [
  [{ 'helpers.slugify': 'two words' }, /^two-words$/],
  [{ 'helpers.slugify': ['two words'] }, /^two-words$/],
  [{ 'helpers.arrayElement': ['red', 'blue'] }, /^(red|blue)$/],
  [{ 'helpers.arrayElement': [['red', 'blue']] }, /^(red|blue)$/],
  [{ 'random.arrayElement': [['red', 'blue']] }, /^(red|blue)$/],
  [{ 'helpers.replaceSymbols': '##-AB' }, /^\d\d-AB$/],
  [{ 'helpers.fromRegExp': '[A-C]{3}' }, /^[A-C]{3}$/],
  [{ 'helpers.fake': '{{name.firstName}} of {{address.city}}' }, /^\S+ of \S/],
  [{ 'string.alpha': 4 }, /^[A-Za-z]{4}$/],
  [{ 'finance.amount': [1, 2] }, /^1\.\d\d$|^2\.00$/],
  [{ 'phone.number': '501-###' }, /^501-\d{3}$/],
  [{ 'date.between': ['2020-01-01', '2020-12-31'] }, /^2020-/],
  [{ 'image.imageUrl': [100, 200] }, /100\/200/],
  [{ 'internet.email': 'Ann' }, /^Ann/]
]
for (const [wish, expected] of plain) {
  test(`x-faker ${JSON.stringify(wish)}`, () => {
    assert.match(String(fake(wish, SEED)), expected)
    assert.equal(explainWish(wish), undefined)
  })
}

test('a plain number of years or days is used', () => {
  const born = Date.parse(String(fake({ 'date.past': 40 }, SEED)))
  assert.ok(born < Date.parse(REFERENCE_DATE) - 366 * DAY_MS, new Date(born).toISOString())
  const seen = Date.parse(String(fake({ 'date.recent': 10 }, SEED)))
  assert.ok(seen < Date.parse(REFERENCE_DATE) - DAY_MS, new Date(seen).toISOString())
})

test('dates count from now if they need not be the same tomorrow', () => {
  const soon = Date.parse(String(fake('date.soon', SEED, { datesFromNow: true })))
  assert.ok(Math.abs(soon - Date.now()) <= DAY_MS, new Date(soon).toISOString())
  const fixed = Date.parse(String(fake('date.soon', SEED)))
  assert.ok(Math.abs(fixed - Date.parse(REFERENCE_DATE)) <= DAY_MS, new Date(fixed).toISOString())
})

const ignored: [wish: unknown, reason: RegExp][] = [
  ['person.firstNmae', /^Faker has no method person\.firstNmae$/],
  ['helpers.multiple', /^Faker has no method/],
  ['internet.constructor', /^Faker has no method/],
  ['date.past(10)', /^Faker has no method/],
  [{ 'lorem.word': [], 'lorem.words': [] }, /^must be the name of a method/],
  [7, /^must be the name of a method/],
  [{ 'date.between': ['yesterday'] }, /^these arguments give no value$/],
  [{ 'helpers.fake': '{{person.nothing}}' }, /^these arguments give no value$/],
  [{ 'word.words': { count: 1e8 } }, /^an argument is too large$/],
  [{ 'lorem.words': 1e9 }, /^an argument is too large$/],
  [{ 'string.alpha': { length: { min: 1, max: 1e9 } } }, /^an argument is too large$/],
  [{ 'helpers.fromRegExp': '(a{1000}){1000}' }, /^an argument is too large$/]
]
for (const [wish, reason] of ignored) {
  test(`ignored, with a reason: x-faker ${JSON.stringify(wish)}`, () => {
    assert.equal(typeof fake(wish, SEED), 'symbol')
    assert.match(String(explainWish(wish)), reason)
  })
}
