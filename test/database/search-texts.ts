import { documentWords, type SearchDocument } from '../../src/kernel/search/document.ts'
import { foldLabel } from '../../src/kernel/search/index-words.ts'
import type { SearchOperators, SearchQuery, SearchTerm } from '../../src/kernel/search/query.ts'

export const OPERATORS: SearchOperators = {
  from: { kind: 'label' },
  has: { kind: 'label', values: ['media', 'link'] },
  since: { kind: 'since' },
  until: { kind: 'until' }
}

/** Whether a document matches, by its list of words alone. */
export function matches(document: SearchDocument, query: SearchQuery): boolean {
  const texts = documentWords(document.texts)
  const { since = -Infinity, until = Infinity } = query
  const has = (term: SearchTerm) =>
    term.kind === 'label'
      ? (document.labels?.[term.name] ?? []).some((value) => foldLabel(value) === term.value)
      : texts.some((text) => containsPhrase(text, term.words))
  const isInTime = document.time >= since && document.time <= until
  return isInTime && query.required.every(has) && !query.excluded.some(has)
}

function containsPhrase(text: readonly unknown[], phrase: readonly string[]): boolean {
  return text.some((_, start) => phrase.every((word, index) => text[start + index] === word))
}

/** Sort keys of the documents that match, newest first. */
export function expectedKeys(documents: readonly SearchDocument[], query: SearchQuery): string[] {
  const found = documents.filter((document) => matches(document, query))
  return found.map(({ sortKey }) => sortKey).sort((a, b) => (a < b ? 1 : -1))
}

/** Six scripts; the names, times and sort keys follow from the position. */
export const TEXTS: readonly (readonly string[])[] = [
  ['Crème brûlée in the café, naïve but good'],
  ['CREME BRULEE IN THE CAFE'],
  ['Straße und Strasse, GROẞE Straßen', 'Zweiter Text über die Fahrt'],
  ['Die Fahrt ist die beste über den Fluss', 'Bild: ein Fluss'],
  ['İstanbul ve ISPARTA, ısparta gülü'],
  ["It's 10:30, don't be late; see https://example.org/a?b=1"],
  ['the the the end of the end'],
  ['Łódź, Ærøskøbing, Þingvellir, ﬁne ½'],
  ['Ο Ὀδυσσεὺς ἐπέστρεψε στὴν Ἰθάκη'],
  ['Ο ΟΔΥΣΣΕΥΣ ΕΠΕΣΤΡΕΨΕ ΣΤΗΝ ΙΘΑΚΗ'],
  ['Η Αθήνα είναι πόλη, η Θεσσαλονίκη επίσης'],
  ['Η πόλη της Αθήνας'],
  ['Ёлка и ёж в лесу, весной тепло'],
  ['ЕЛКА И ЕЖ В ЛЕСУ'],
  ['Київ, м’ята і мʼята, їжак'],
  ["м'ята в Києві; весной в лесу"],
  ['هذا كِتَابٌ جديد عن اللغة العربية'],
  ['هذا كتـــاب قديم، أحمد قرأ الكتاب'],
  ['احمد في المدينة ٢٠٢٤'],
  ['می\u200cخواهم کتاب فارسی بخوانم'],
  ['मुझे हिन्दी भाषा पसंद है'],
  ['हिंदी में लिखी किताब'],
  ['भारत की भाषा हिन्दी है'],
  ['नमस्ते भारत'],
  ['東京タワーへ行きました。日本語が好き'],
  ['日本の東京と京都'],
  ['京都は東にあります'],
  ['ﾄｳｷｮｳ タワー ガラス'],
  ['中文搜索：北京大学和清华大学'],
  ['大学北京'],
  ['한국어를 배우고 있어요 ㅋㅋㅋ'],
  ['저는 한국 사람입니다, 한국어 좋아요'],
  ['한국어'.normalize('NFD')],
  ['ภาษาไทยไม่มีช่องว่าง'],
  ['Party 🎉🎉 in 🇩🇪, 👍🏽 from the family 👨‍👩‍👧'],
  ['🎉'],
  ['xml x y z 2024 y2024 x0041 zebra 1e5 0x1f 1e5abc'],
  ['A'.repeat(300), 'snake_case #hashtag @user_name C++'],
  [`${'echo '.repeat(400)}end of echo`],
  ['mixed日本text और कुछ Русский'],
  ['']
]

const AUTHORS = ['Ada', 'böb', 'eve smith'] as const
const FIRST_TIME = Date.UTC(2009, 10, 1)
const DAY = 86_400_000

export function documentOf(texts: readonly string[], index: number): SearchDocument {
  const has = [...(index % 3 === 0 ? ['media'] : []), ...(index % 4 === 0 ? ['link'] : [])]
  return {
    // Not in the order of time for each seventh, and beyond the safe integers of JavaScript.
    sortKey: String(9_223_372_036_854_775_000n - BigInt(index * (index % 7 === 0 ? 3 : 1))),
    time: FIRST_TIME - index * 20 * DAY,
    texts,
    labels: { from: [AUTHORS[index % 3] ?? ''], has }
  }
}

/** All find something in the texts above. */
export const QUERIES: readonly string[] = [
  ...['creme', 'Crème brûlée', '"creme brulee in the"', 'BRÛLÉE -naïve', 'cafe from:ada', 'the'],
  ...['strasse', 'STRAẞE', 'große', '"strasse und strasse"', 'fahrt', '"die fahrt"', 'über -bild'],
  ...['isparta', 'ISPARTA ıstanbul', "don't", '"it s 10"', '10:30', 'https://example.org/a'],
  ...[
    '"the the"',
    '"the the the end"',
    '"the end of the end"',
    'end -echo',
    'łódź',
    'fine 1',
    '"1 2"'
  ],
  ...['οδυσσευς', 'ΟΔΥΣΣΕΎΣ', '"ο οδυσσεύς"', 'Ιθάκη has:link', 'πολη', '"η πόλη"', 'αθηνα -πολης'],
  ...[
    'ёлка',
    '"елка и еж"',
    'ЛЕСУ',
    '"весной в лесу"',
    "м'ята",
    'мʼята -київ',
    'київ',
    'весной тепло'
  ],
  ...[
    'كتاب',
    'كتاب -قديم',
    '"هذا كتاب"',
    'أحمد',
    'احمد -كتاب',
    '٢٠٢٤',
    'میخواهم',
    'العربية',
    'الكتاب'
  ],
  ...['हिन्दी', 'भाषा', '"हिन्दी भाषा"', '"भाषा हिन्दी"', 'भारत -नमस्ते', 'किताब', 'है भाषा'],
  ...[
    '東京',
    '京都',
    '東 京',
    '"東京" -京都',
    '日本',
    '"日本" 語',
    'タワー',
    'ﾀﾜｰ',
    'ガラス',
    '好き'
  ],
  ...['北京', '大学', '北京大学', '"大学北京"', '大学 -清华', '清'],
  ...['한국어', '한국', '한국 -한국어를', 'ㅋㅋ', '사람', '"한국 사람"', 'ภาษา', 'ไทย'],
  ...[
    '🎉',
    '🎉 -party',
    '👍',
    '🇩🇪',
    '👨‍👩‍👧',
    'xml',
    'x',
    'y z',
    '2024',
    'y2024',
    'x0041',
    '"x y"'
  ],
  ...['1e5', '1e5abc', '0x1f', 'zebra', 'a'.repeat(64), 'user_name', '"case hashtag"', 'echo'],
  ...['"echo echo"', '日本text', 'mixed 日本', 'कुछ русский', 'from:ada', 'from:BOB'],
  ...['from:"Eve Smith"', '-from:bob has:link', 'has:media has:link', 'since:2009', 'until:2008'],
  ...['since:2008-03 until:2008-07-15', 'since:2009-01-01 -the', 'until:2009-08 from:ada the']
]

/** The last word is not stored there, because it was repeated too often before; labels are no words. */
export const QUERIES_WITHOUT_MATCH: readonly string[] = [
  ...['"end of echo"', '"über die fahrt zweiter"', '"fluss bild"', 'zgap', 'ada', 'media', '"京東"']
]
