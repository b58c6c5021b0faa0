import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCrossSite } from './cross-site.ts'

function check(expected: boolean, host: string, origin?: string, site?: string): void {
  const headers = {
    host,
    ...(origin === undefined ? {} : { origin }),
    ...(site === undefined ? {} : { 'sec-fetch-site': site })
  }
  assert.equal(isCrossSite(headers), expected, JSON.stringify(headers))
}

test('programs and typed URLs are not pages of another site', () => {
  check(false, 'localhost:3004')
  check(false, 'localhost:3004', undefined, 'none')
})

test('an image or a link in a page of another site', () => {
  check(true, 'localhost:3004', undefined, 'cross-site')
  check(true, 'api.example.org', undefined, 'cross-site')
})

test('scripts of another site, with and without fetch metadata', () => {
  check(true, 'localhost:3004', 'https://evil.example', 'cross-site')
  check(true, '192.168.1.5:3004', 'https://evil.example')
  check(true, 'localhost:3004', 'null')
  check(true, '', 'https://evil.example')
})

test('front ends of the same site, and of another loopback name', () => {
  check(false, 'localhost:3004', 'http://localhost:5173', 'same-site')
  check(false, '127.0.0.1:3004', 'http://localhost:5173', 'cross-site')
  check(false, '[::1]:3004', 'http://app.localhost:5173', 'cross-site')
  check(false, '192.168.1.5:3004', 'http://192.168.1.5:5173')
  check(false, 'api.example.org', 'https://app.example.org', 'same-site')
})

test('a name that only looks like a loopback name', () => {
  check(true, 'localhost:3004', 'https://localhost.evil.example', 'cross-site')
  check(true, 'localhost:3004', 'https://127.evil.example', 'cross-site')
})
