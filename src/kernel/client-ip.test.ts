import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { createClientIp } from './client-ip.ts'

function check(
  trusted: string[],
  peer: string,
  forwardedFor: string | undefined,
  expected: string
) {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  assert.equal(createClientIp(trusted)(request), expected)
}

test('without a trusted proxy it is the peer, whatever the headers', () => {
  check([], '::ffff:198.51.100.7', '203.0.113.9', '198.51.100.7')
  check(['10.0.0.0/8'], '198.51.100.7', '203.0.113.9', '198.51.100.7')
})

test('the header of a trusted proxy is used', () => {
  check(['10.0.0.1'], '10.0.0.1', '203.0.113.9', '203.0.113.9')
  check(['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1')
})

test('entries that the client sent itself are ignored', () => {
  check(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9')
  check(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9')
})

test('an invalid entry ends the search', () => {
  check(['10.0.0.0/8'], '10.0.0.1', 'unknown, 10.0.0.2', '10.0.0.2')
  check(['10.0.0.0/8'], '10.0.0.1', '', '10.0.0.1')
})
