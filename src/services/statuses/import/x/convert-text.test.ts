import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EFFORT } from '../../../../../test/support/effort.ts'
import { createRandom } from '../../../../../test/support/random.ts'
import type { Entity } from '../../records/record.ts'
import { codePointsIn } from '../text/text-builder.ts'
import { convertText } from './convert-text.ts'
import { marksOf } from './marks.ts'

function convert(tweet: Record<string, unknown> & { full_text: string }) {
  const { display_text_range: range } = tweet
  return convertText({
    text: tweet.full_text,
    marks: marksOf(tweet),
    isEscaped: true,
    range: Array.isArray(range) ? [Number(range[0]), Number(range[1])] : undefined
  })
}

const url = (short: string, long: string, indices: [number, number]) => ({
  url: short,
  expanded_url: long,
  display_url: long.replace(/^https?:\/\//, '').slice(0, 15),
  indices: indices.map(String)
})

const words = (text: string, entities: readonly Entity[]) =>
  entities.map(({ start, end }) => Array.from(text).slice(start, end).join(''))

test('positions count the escaped text', () => {
  const long = 'https://status.example.org/'
  const { text, entities } = convert({
    full_text: 'Announcing a new API status page -&gt; https://t.co/abcdefghij',
    entities: { urls: [url('https://t.co/abcdefghij', long, [39, 62])] }
  })
  assert.equal(text, `Announcing a new API status page -> ${long}`)
  assert.deepEqual(entities, [
    { type: 'url', start: 36, end: 63, href: long, display: 'status.example.' }
  ])
})

test('links to media and to the quoted post are removed from the end, not from the middle', () => {
  const media = {
    url: 'https://t.co/media00000',
    expanded_url: 'https://twitter.com/ada/status/5/photo/1',
    display_url: 'pic.twitter.com/media00000'
  }
  const quote = url('https://t.co/quote00000', 'https://twitter.com/i/web/status/99?s=20', [8, 31])
  const both = convert({
    full_text: 'Look at https://t.co/quote00000 https://t.co/media00000',
    entities: { urls: [quote] },
    extended_entities: {
      media: [
        { ...media, indices: ['32', '55'] },
        { ...media, indices: ['32', '55'] }
      ]
    }
  })
  assert.deepEqual(both, {
    ...{ text: 'Look at', entities: [] },
    quoted: { id: '99', url: 'https://twitter.com/i/web/status/99?s=20' }
  })
  const middle = convert({
    full_text: 'https://t.co/media00000 was there',
    entities: { media: [{ ...media, indices: ['0', '23'] }] }
  })
  assert.equal(middle.text, 'https://twitter.com/ada/status/5/photo/1 was there')
  assert.equal(middle.entities[0]?.display, 'pic.twitter.com/media00000')
  const alone = convert({
    full_text: 'https://t.co/quote00000',
    entities: { urls: [{ ...quote, indices: ['0', '23'] }] }
  })
  assert.equal(alone.text, 'https://twitter.com/i/web/status/99?s=20')
  assert.equal(alone.quoted?.id, '99')
})

test('names before the shown part are removed, other text never', () => {
  const mentions = [
    { screen_name: 'Bob', indices: ['0', '4'] },
    { screen_name: 'eve', indices: ['5', '9'] }
  ]
  const reply = { full_text: '@bob @eve yes @bob', entities: { user_mentions: mentions } }
  assert.equal(convert({ ...reply, display_text_range: ['10', '18'] }).text, 'yes @bob')
  assert.equal(convert({ ...reply, display_text_range: ['0', '18'] }).text, '@bob @eve yes @bob')
  assert.equal(convert({ ...reply, display_text_range: ['14', '18'] }).text, '@bob @eve yes @bob')
})

test('an entity with a wrong position moves to its word or is omitted', () => {
  const { text, entities } = convert({
    full_text: '😀 #ab #a @Ada_ and $N…',
    entities: {
      hashtags: [
        { text: 'a', indices: ['1', '3'] },
        { text: 'gone', indices: ['50', '55'] }
      ],
      user_mentions: [{ screen_name: 'ada_', indices: ['11', '16'] }],
      symbols: [{ text: 'N', indices: ['90', '92'] }]
    }
  })
  assert.deepEqual(words(text, entities), ['#a', '@Ada_', '$N'])
})

test('only web URLs become links, and URLs in old texts without entities do too', () => {
  const script = convert({
    full_text: 'see https://t.co/abcdefghij',
    entities: { urls: [url('https://t.co/abcdefghij', 'javascript:alert(1)', [4, 27])] }
  })
  assert.deepEqual(
    [script.text, script.entities[0]?.href],
    ['see https://t.co/abcdefghij', 'https://t.co/abcdefghij']
  )
  const old = convert({ full_text: 'see (http://tiny.example/a?b&amp;c=1). RT https://t.co/x…' })
  assert.deepEqual(old.entities, [
    { type: 'url', start: 5, end: 32, href: 'http://tiny.example/a?b&c=1' }
  ])
  assert.equal(convert({ full_text: '&amp;lt; &lt;b&gt; &quot;' }).text, '&lt; <b> &quot;')
})

const PLAIN = [
  'a &amp; b',
  '👩‍👩‍👧',
  ' &lt;',
  'مرحبا',
  '&amp;lt;',
  'é',
  'é',
  '\n',
  '漢字',
  '🇩🇪',
  ' x ',
  '&gt;&gt;',
  '\u202e'
]

test('entities stay on their words, whatever surrounds them', () => {
  const random = createRandom(7)
  for (let round = 0; round < 400 * EFFORT; round++) {
    const sample = randomTweet(random)
    const { text, entities } = convert(sample.tweet)
    assert.equal(text, sample.text.trimEnd(), JSON.stringify(sample.tweet))
    assert.deepEqual(words(text, entities), sample.words, JSON.stringify(sample.tweet))
    for (const [index, { start }] of entities.entries()) {
      assert.ok(start >= (entities[index - 1]?.end ?? 0))
    }
  }
})

/** A text of random pieces with its entities, and what it has to become. */
function randomTweet(random: ReturnType<typeof createRandom>) {
  const entities = {
    hashtags: [] as object[],
    symbols: [] as object[],
    user_mentions: [] as object[],
    urls: [] as object[]
  }
  let escaped = ''
  let text = ''
  const found: string[] = []
  const add = (word: string, shown = word) => {
    const start = codePointsIn(escaped)
    escaped += word
    text += shown
    if (word !== ' ') found.push(shown)
    return [String(start), String(start + codePointsIn(word))]
  }
  for (let pieces = random.below(8) + 1; pieces > 0; pieces--) {
    const number = random.below(1000)
    const kind = random.pick(['plain', 'plain', 'url', 'hashtag', 'mention', 'symbol'])
    if (kind === 'plain') {
      const plain = PLAIN[random.below(PLAIN.length)] ?? ''
      escaped += plain
      text += plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    } else if (kind === 'hashtag') {
      entities.hashtags.push({ text: `tag${number}漢`, indices: add(`#tag${number}漢`) })
    } else if (kind === 'symbol') {
      entities.symbols.push({ text: `S${number}`, indices: add(`$S${number}`) })
    } else if (kind === 'mention') {
      entities.user_mentions.push({ screen_name: `u${number}`, indices: add(`@u${number}`) })
    } else {
      const long = `https://example.org/${number}?a=1&b=%20`
      const short = `https://t.co/abcdefg${number}`
      entities.urls.push({ url: short, expanded_url: long, indices: add(short, long) })
    }
    escaped += ' '
    text += ' '
  }
  return { tweet: { full_text: escaped, entities }, text, words: found }
}
