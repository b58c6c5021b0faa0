import assert from 'node:assert/strict'
import { test } from 'node:test'
import { climbsOut } from './dot-segments.ts'

const OUT = [
  '/..',
  '/../admin',
  '/a/../../admin',
  '/a//../../admin',
  '/%2e%2e/admin',
  '/.%2E/admin',
  '/%252e%252e/admin',
  '/%25252e%25252e/admin',
  '/..%2fadmin',
  '/a/..%2f..%2fadmin',
  '/a%2fb/../..',
  '/..%5cadmin',
  '/..\\admin',
  '/a\\b/../../admin',
  '/..;x=1/admin',
  '/%2e%2e%3bx/admin',
  `/%${'25'.repeat(20)}2e%${'25'.repeat(20)}2e/admin`
]
for (const path of OUT) test(`${path} climbs out`, () => assert.ok(climbsOut(path)))

const IN = [
  '/',
  '',
  '/a/..',
  '/a/../b',
  '/a/b/%2e%2e/..',
  '/...',
  '/a..b',
  '/..a',
  '/%zz',
  '/100%25',
  '/.',
  '*'
]
for (const path of IN) test(`${path} does not`, () => assert.ok(!climbsOut(path)))
