import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldRow, FieldType, ItemRow } from '../store/rows.ts'
import { cardUrl, completedDay, fieldValues, isTimeZone } from './field-values.ts'

function field(id: string, type: FieldType, name = id): FieldRow {
  return { id, board: 'b', name, type, pos: 1, card_front: 1, field_group: '' }
}

function item(id: string, value: object | null, option: string | null = null): ItemRow {
  const text = value === null ? null : JSON.stringify(value)
  return { id: `i${id}`, board: 'b', card: 'c', field: id, value: text, option }
}

function dayOf(timeZone: string, date: string): string | null {
  const board = { time_zone: timeZone, completed_field: 'd', url_field: null }
  return completedDay(board, [item('d', { date })])
}

test('a completion date is the day in the time zone of the board', () => {
  assert.equal(dayOf('UTC', '2024-03-31T23:59:59.999Z'), '2024-03-31')
  assert.equal(dayOf('Europe/Berlin', '2024-03-30T22:59:59.999Z'), '2024-03-30')
  assert.equal(dayOf('Europe/Berlin', '2024-03-30T23:00:00.000Z'), '2024-03-31')
  assert.equal(dayOf('Europe/Berlin', '2024-03-31T22:00:00.000Z'), '2024-04-01')
  assert.equal(dayOf('America/New_York', '2020-04-17T03:59:00.000Z'), '2020-04-16')
  assert.equal(dayOf('Pacific/Kiritimati', '2019-12-31T10:00:00.000Z'), '2020-01-01')
  assert.equal(dayOf('Asia/Kolkata', '0999-12-31T20:00:00.000Z'), '1000-01-01')
  assert.equal(dayOf('UTC', 'never'), null)
})

test('numbers stay exact, or text', () => {
  const read = (number: string) =>
    fieldValues({ fields: [field('n', 'number')], options: new Map() }, [item('n', { number })]).n
  assert.equal(read('10'), 10)
  assert.equal(read('-0.5'), -0.5)
  assert.equal(read('9007199254740991'), 9007199254740991)
  for (const text of ['9007199254740993', '0.1234567890123456789', '1e400', 'x']) {
    assert.equal(read(text), text)
  }
})

test('fields have their names, of which the first counts, even names of objects', () => {
  const fields = [
    field('t', 'text', '__proto__'),
    field('c', 'checkbox', 'toString'),
    field('l', 'list', 'Kind'),
    field('second', 'text', 'Kind')
  ]
  const values = fieldValues({ fields, options: new Map() }, [
    item('t', { text: 'x' }),
    item('l', null, 'unknown'),
    item('second', { text: 'y' })
  ])
  assert.equal(JSON.stringify(values), '{"__proto__":"x","toString":false,"Kind":null}')
})

test('only URLs of the web are URLs of a card', () => {
  const board = { time_zone: 'UTC', completed_field: null, url_field: 'u' }
  const read = (text: string) => cardUrl(board, [item('u', { text })])
  assert.equal(read(' https://a.example/b?c#d '), 'https://a.example/b?c#d')
  for (const text of ['javascript:alert(1)', 'data:text/html,x', '//a.example', 'a.example', '']) {
    assert.equal(read(text), null, text)
  }
})

test('time zones are those that days can be computed for', () => {
  assert.equal(isTimeZone('Europe/Berlin'), true)
  assert.equal(isTimeZone('Mars/Base'), false)
  assert.equal(isTimeZone(''), false)
})
