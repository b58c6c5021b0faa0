import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText, MAX_TEXT_LENGTH, MAX_WORD_LENGTH, MAX_WORDS, words } from './words.ts'

const CASES: readonly (readonly [text: string, expected: string])[] = [
  ['Crème brûlée, NAÏVE!', 'creme brulee naive'],
  ['cre\u0300me cr\u00e8me', 'creme creme'],
  ['Straße STRASSE GROẞ', 'strasse strasse gross'],
  ['ΟΔΥΣΣΕΥΣ Ὀδυσσεύς οδυσσευσ', 'οδυσσευσ οδυσσευσ οδυσσευσ'],
  ['İstanbul ISPARTA ısparta', 'istanbul isparta isparta'],
  ['ﬁne ½ ① Ⅷ ２０２４', 'fine 1 2 1 viii 2024'],
  ['don’t don\u02bct м’ята', 'don t don t м ята'],
  ['so\u00adft zero\u200bwidth', 'soft zero width'],
  ['Ёлка ёЖ Київ', 'елка еж киів'],
  ['كتـــاب أَحْمَد می\u200cخواهم', 'كتاب احمد میخواهم'],
  ['हिन्दी में', 'हनद म'],
  ['日本語、東京タワー', '日 本 語 東 京 タ ワ ー'],
  ['ﾀﾜｰ ガ', 'タ ワ ー カ'],
  ['한국어 ㅋ', '한 국 어 ᄏ'],
  ['한국'.normalize('NFD'), '한 국'],
  ['ภาษา', 'ภ า ษ า'],
  ['web日本2', 'web 日 本 2'],
  ['👍🏽👨‍👩‍👧 🇩🇪🇫🇷 1️⃣ ❤️', '👍 👨 👩 👧 🇩🇪 🇫🇷 1 ❤'],
  ['snake_case #tag @name a.b', 'snake case tag name a b'],
  ['', ''],
  ['\u0000 \ud800 … — !', '']
]

for (const [text, expected] of CASES) {
  test(`words of ${JSON.stringify(text)}`, () => {
    assert.equal(words(text).join(' '), expected)
  })
}

test('every letter is found in both cases and folded once', () => {
  const different: string[] = []
  for (let code = 0; code <= 0x323af; code++) {
    const letter = String.fromCodePoint(code)
    // The iota below a Greek letter is a mark, but a letter in upper case.
    if (!/[\p{L}\p{N}]/u.test(letter) || letter.normalize('NFD').includes('\u0345')) continue
    const folded = foldText(letter)
    const others = [folded, letter.toUpperCase(), letter.toLowerCase()]
    if (others.some((other) => foldText(other) !== folded)) different.push(letter)
  }
  assert.deepEqual(different, [])
})

test('long words and texts are cut', () => {
  assert.deepEqual(words('a'.repeat(1_000)), ['a'.repeat(MAX_WORD_LENGTH)])
  assert.equal(words('a '.repeat(MAX_WORDS + 1)).length, MAX_WORDS)
  // One character that is 18 characters in its compatible form.
  assert.ok(foldText('\ufdfa'.repeat(MAX_TEXT_LENGTH)).length <= MAX_TEXT_LENGTH)
})
