import assert from 'node:assert/strict'
import type { Expected, Row } from '../support/contract.ts'

export const subject = { service: 'reference' } as const

/** Ports differ from run to run; everything else of a body is compared. */
export function plain(text: string): string {
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://here')
}

export function get(
  proves: string,
  path: string,
  expect: Omit<Expected, 'status'>,
  status = 200
): Row {
  return { proves, send: { path }, expect: { status, ...expect } }
}

export function ask(
  proves: string,
  path: string,
  headers: Record<string, string>,
  expect: Expected,
  method = 'GET'
): Row {
  return { proves, send: { path, headers, method }, expect }
}

export function missing(proves: string, path: string): Row {
  return get(proves, path, { type: 'application/json', json: { detail: 'Not found' } }, 404)
}

export function refuses(proves: string, path: string, detail: string | RegExp): Row {
  const headers = { 'access-control-allow-origin': '*' }
  return get(proves, path, { type: 'application/json', headers, ...tells(detail) }, 400)
}

function tells(detail: string | RegExp): Pick<Expected, 'check'> {
  return {
    check({ text }) {
      const told = JSON.parse(text).detail
      if (typeof detail === 'string') assert.equal(told, detail)
      else assert.match(told, detail)
    }
  }
}

export function body(text: string): Pick<Expected, 'check'> {
  return { check: (answer) => assert.equal(plain(answer.text), text) }
}

export function answers(wanted: unknown): Pick<Expected, 'check'> {
  return { check: ({ text }) => assert.deepEqual(JSON.parse(plain(text)), wanted) }
}

/** What `fields` leaves of the results, in order. */
export function results(...wanted: object[]): Pick<Expected, 'check'> {
  return { check: ({ text }) => assert.deepEqual(JSON.parse(plain(text)).results, wanted) }
}

export function counts(wanted: number): Pick<Expected, 'check'> {
  return { check: ({ text }) => assert.equal(JSON.parse(text).count, wanted) }
}

/** The seed's record of the showcase, byte by byte. */
export const MAREN =
  '{"name":"Maren Tørrvik","height":"171 cm","mass":"66 kg","hair_color":"brown",' +
  '"skin_color":"tan","eye_color":"grey","birth_year":"17BTR","gender":"female",' +
  '"homeworld":"http://here/api/planets/1/","films":["http://here/api/films/1/",' +
  '"http://here/api/films/2/","http://here/api/films/3/","http://here/api/films/5/",' +
  '"http://here/api/films/6/","http://here/api/films/7/"],' +
  '"species":["http://here/api/species/1/"],"vehicles":["http://here/api/vehicles/1/",' +
  '"http://here/api/vehicles/9/","http://here/api/vehicles/14/"],' +
  '"starships":["http://here/api/starships/1/","http://here/api/starships/12/",' +
  '"http://here/api/starships/13/","http://here/api/starships/21/"],' +
  '"created":"2026-01-14T08:37:30.207676Z","edited":"2026-01-31T09:23:11.259653Z",' +
  '"url":"http://here/api/people/1/"}'
