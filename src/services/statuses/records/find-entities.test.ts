import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntities } from './find-entities.ts'

/** The parts of the text, cut at code points. */
function partsOf(text: string): string[] {
  const characters = Array.from(text)
  return findEntities(text).map(({ start, end }) => characters.slice(start, end).join(''))
}

const CASES: Readonly<Record<string, readonly (readonly [text: string, ...parts: string[]])[]>> = {
  'URLs with a scheme': [
    ['http://example.com', 'http://example.com'],
    ['See https://example.com/a?b=c&d=1#e now', 'https://example.com/a?b=c&d=1#e'],
    ['HTTPS://EXAMPLE.COM/x', 'HTTPS://EXAMPLE.COM/x'],
    ['https://example.com.', 'https://example.com'],
    ['https://example.com/a, and', 'https://example.com/a'],
    ['Really https://example.com/a?!', 'https://example.com/a'],
    ['"https://example.com/a"', 'https://example.com/a'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['https://example.com/a_(b)', 'https://example.com/a_(b)'],
    ['(https://example.com/a_(b))', 'https://example.com/a_(b)'],
    ['https://example.com/a(b', 'https://example.com/a'],
    ['https://example.com:8080/x', 'https://example.com:8080/x'],
    ['https://example.com?q=1', 'https://example.com?q=1'],
    ['https://example.com#top', 'https://example.com'],
    ['https://example.com/#top', 'https://example.com/#top'],
    ['日本語https://example.com/日本', 'https://example.com/'],
    ['https://example.comです', 'https://example.com'],
    ['https://bücher.example/ä', 'https://bücher.example/ä'],
    ['https://пример.рф/путь', 'https://пример.рф/путь'],
    ['https://xn--e1afmkfd.xn--p1ai/x', 'https://xn--e1afmkfd.xn--p1ai/x'],
    ['https://sub_domain.example.com/', 'https://sub_domain.example.com/'],
    ['https://x.com/@ada/1', 'https://x.com/@ada/1'],
    ['https://a.com https://b.com', 'https://a.com', 'https://b.com'],
    ['https://a.com/x,https://b.com', 'https://a.com/x,https://b.com'],
    ['xhttps://example.com'],
    ['ftp://example.com/a'],
    ['javascript://example.com/%0aalert(1)'],
    ['https://localhost/a'],
    ['https://192.168.0.1/a'],
    ['https://user@example.com'],
    ['https://-example-.com'],
    ['https://']
  ],
  'domains without a scheme': [
    ['example.com', 'example.com'],
    ['See www.example.org/a.', 'www.example.org/a'],
    ['example.co.uk/x', 'example.co.uk/x'],
    ['例えばexample.comです', 'example.com'],
    ['example.com.Next', 'example.com'],
    ['it.is but about.me/ada is', 'about.me/ada'],
    ['main.rs and readme.md and v1.2'],
    ['end.It goes on'],
    ['ada@example.com'],
    ['a.b@example.com and user.com@example.org'],
    ['-example.com'],
    ['./example.com'],
    ['$example.com #example.com', '#example']
  ],
  mentions: [
    ['@ada', '@ada'],
    ['Hello @Ada_1!', '@Ada_1'],
    ['＠ada', '＠ada'],
    ['(@ada)', '@ada'],
    ['.@ada', '@ada'],
    ['@ada@example.social'],
    ['@ada://x'],
    ['RT@ada RT: @bob', '@ada', '@bob'],
    ['@ada/list', '@ada'],
    ['@adaé'],
    ['@123456789012345', '@123456789012345'],
    ['@1234567890123456'],
    ['a@ada _@ada !@ada &@ada @@ada'],
    ['日本@ada日本', '@ada'],
    ['@'],
    ['@ada.example', '@ada']
  ],
  hashtags: [
    ['#a', '#a'],
    ['＃日本語', '＃日本語'],
    ['#日本語、#한국어。', '#日本語', '#한국어'],
    ['#été #été', '#été', '#été'],
    ['#עברית #العربية', '#עברית', '#العربية'],
    ['#हिन्दी', '#हिन्दी'],
    ['#1 #123 #_ #1_2'],
    ['#1st', '#1st'],
    ['#snake_case', '#snake_case'],
    ['#can-not', '#can'],
    ['a#b _#b &#b;'],
    ['(#a) "#b" .#c', '#a', '#b', '#c'],
    ['#a#b #a#b'],
    ['#a://b'],
    ['#️⃣ and #⃣'],
    ['#می‌خواهم', '#می‌خواهم'],
    ['#🎉'],
    ['🎉#a👩‍👩‍👧#b', '#a', '#b']
  ],
  symbols: [
    ['$A $GOOG $BRK.A $BRK_B', '$A', '$GOOG', '$BRK.A', '$BRK_B'],
    ['$goog, ($goog)', '$goog'],
    ['$TOOLONGS $5 US$GOOG $GOOG1']
  ],
  mixtures: [
    ['@ada #a $A https://a.com', '@ada', '#a', '$A', 'https://a.com'],
    ['https://a.com/#a @ada', 'https://a.com/#a', '@ada'],
    ['𝒳𝒴 @ada 👩🏽‍🚀 #a', '@ada', '#a'],
    ['\u202e@ada\u202c #a', '@ada', '#a'],
    ['&lt;b&gt; #a&amp;', '#a'],
    ['']
  ]
}

for (const [title, cases] of Object.entries(CASES)) {
  test(`Entities: ${title}`, () => {
    for (const [text, ...parts] of cases) assert.deepEqual(partsOf(text), parts, text)
  })
}

test('entities have the form that imports store', () => {
  assert.deepEqual(findEntities('🎉 @Ada ＃b $C example.com/ä'), [
    { type: 'mention', start: 2, end: 6, href: 'https://x.com/Ada' },
    { type: 'hashtag', start: 7, end: 9 },
    { type: 'symbol', start: 10, end: 12 },
    { type: 'url', start: 13, end: 26, href: 'https://example.com/%C3%A4' }
  ])
})

test('entities of random texts are in order, apart, and links that can be opened', () => {
  const parts = ['@', '#', '＃', '$', 'http://', 'https://', 'a.com', '/', '(', ')', '?', '&']
  parts.push(' ', '\n', '\u200d', '\ufe0f', '🎉', '日', 'é', 'é', '.', ':', '1', '_', 'ada', '%')
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  let found = 0
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: random(30) }, () => parts[random(parts.length)]).join('')
    const length = Array.from(text).length
    let position = 0
    for (const { start, end, href, type } of findEntities(text)) {
      assert.ok(position <= start && start < end && end <= length, text)
      if (type === 'url') assert.ok(URL.canParse(href ?? ''), text)
      position = end
      found++
    }
  }
  assert.ok(found > 1_000)
})

test('the time for long texts without spaces grows with their length', () => {
  const parts = ['a', 'a.', '#a', '@a', '$A', 'https://', 'a-', '(', 'a.com/', '#ａ_1', ')']
  const measure = (length: number) => {
    const before = process.cpuUsage()
    for (const part of parts) findEntities(part.repeat(length / part.length))
    return process.cpuUsage(before).user
  }
  measure(20_000)
  // A shared machine may stop the process meanwhile. With quadratic time it would be 64.
  const ratios = Array.from({ length: 3 }, () => measure(160_000) / measure(20_000))
  assert.ok(Math.min(...ratios) < 32, String(ratios))
})
