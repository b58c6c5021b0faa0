import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderDescription } from './description.ts'

const CARD = 'a'.repeat(24)
const IMAGE = 'b'.repeat(24)
const OTHER = 'c'.repeat(24)

function render(text: string): ReturnType<typeof renderDescription> {
  const url = 'https://cards.example/images/x.jpg'
  return renderDescription(CARD, text, (id) => (id === IMAGE ? url : undefined))
}

test('image links to attachments of the card lead to their public URLs, on any host', () => {
  for (const link of [
    `https://trello.com/1/cards/${CARD}/attachments/${IMAGE}/download/a.jpg`,
    `/1/cards/${CARD}/attachments/${IMAGE.toUpperCase()}/previews/1/download/a.jpg`,
    `https://a.example/attachments/${IMAGE}?x=1`
  ]) {
    assert.equal(
      render(`![a](${link})`).html,
      '<p><img src="https://cards.example/images/x.jpg" alt="a"></p>\n'
    )
  }
  const foreign = `https://a.example/attachments/${OTHER}/x.jpg`
  assert.match(render(`![a](${foreign})`).html, new RegExp(`src="${foreign}"`))
  assert.doesNotMatch(render(`![a](javascript:/attachments/${IMAGE}/)`).html, /<img/)
})

test('an excerpt is the first paragraph without markup, cut after a word', () => {
  assert.equal(
    render('# Title\n\nA *first*\nparagraph [x](https://a.example).').excerpt,
    'A first paragraph x.'
  )
  const { excerpt } = render('word '.repeat(100))
  assert.ok(excerpt.length <= 200)
  assert.match(excerpt, /word…$/)
  assert.equal(render('😀'.repeat(200)).excerpt.isWellFormed(), true)
  assert.deepEqual(render(''), { html: '', excerpt: '' })
})
