import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { isOwnHost, isOwnIp } from './ip-ranges.ts'

test('this machine has the IP addresses of all its interfaces', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  for (const { address } of interfaces) assert.ok(isOwnIp(address), address)
  for (const ip of [
    ...['127.0.0.1', '127.1.2.3', '::1', '0.0.0.0', '::'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:0']
  ]) {
    assert.ok(isOwnIp(ip), ip)
  }
  for (const ip of ['192.0.2.1', '1.1.1.1', '2001:db8::1', '::ffff:1.1.1.1']) {
    assert.ok(!isOwnIp(ip), ip)
  }
})

test('hosts of URLs that are this machine in any spelling', () => {
  const hosts = ['localhost', 'a.localhost', 'LOCALHOST.', '2130706433', '0x7f.1', '0177.0.0.1']
  for (const host of [...hosts, '127.1', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]']) {
    assert.ok(isOwnHost(new URL(`http://${host}/`).hostname), host)
  }
  for (const host of ['example.org', 'notlocalhost', 'localhost.example.org', '192.0.2.1']) {
    assert.ok(!isOwnHost(host), host)
  }
})
