import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfiguration } from './parse-configuration.ts'

const EMAIL = { address: 'jo.doe@example.com', localPart: 'jo.doe', domain: 'example.com' }

interface Fields {
  type?: string
  hostname?: string
  port?: string
  socketType?: string
  username?: string
}

function server(tag: string, fields: Fields = {}): string {
  const { type = tag === 'incomingServer' ? 'imap' : 'smtp', ...others } = fields
  const values = {
    hostname: 'mail.example.com',
    port: '993',
    socketType: 'SSL',
    username: '%EMAILADDRESS%',
    ...others
  }
  const lines = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`)
  return `<${tag} type="${type}">${lines.join('\n')}<authentication>password-cleartext</authentication></${tag}>`
}

function document(...servers: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1"><emailProvider id="example.com">
  <domain>example.com</domain><displayName>Example</displayName>
  ${servers.join('\n')}
</emailProvider></clientConfig>`
}

const imapOf = (fields?: Fields) =>
  parseConfiguration(document(server('incomingServer', fields)), EMAIL)?.imap

describe('a configuration', () => {
  test('has a server of each kind, with the user in it', () => {
    const found = parseConfiguration(
      document(
        server('incomingServer', { type: 'pop3', hostname: 'pop.example.com', port: '995' }),
        server('incomingServer', { username: '%EMAILLOCALPART%', hostname: 'imap.%EMAILDOMAIN%' }),
        server('outgoingServer', {
          hostname: 'smtp.example.com',
          port: '587',
          socketType: 'STARTTLS'
        })
      ),
      EMAIL
    )
    assert.deepEqual(found, {
      imap: { host: 'imap.example.com', port: 993, secure: true, user: 'jo.doe' },
      smtp: { host: 'smtp.example.com', port: 587, secure: false, user: 'jo.doe@example.com' }
    })
  })

  test('that has several servers gives the first with TLS from the first byte', () => {
    const start = { hostname: 'start.example.com', port: '143', socketType: 'STARTTLS' }
    const found = parseConfiguration(
      document(
        server('incomingServer', { socketType: 'plain', hostname: 'plain.example.com' }),
        server('incomingServer', start),
        server('incomingServer', { hostname: 'one.example.com' }),
        server('incomingServer', { hostname: 'two.example.com' })
      ),
      EMAIL
    )
    assert.equal(found?.imap?.host, 'one.example.com')
    assert.equal(found?.smtp, undefined)
    assert.equal(imapOf(start)?.host, 'start.example.com')
  })

  test('is not used where a password would not be encrypted or the host is no public name', () => {
    for (const fields of [
      ...[{ socketType: 'plain' }, { socketType: '' }, { socketType: 'ssl ' }],
      ...[{ hostname: '' }, { hostname: 'localhost' }, { hostname: '127.0.0.1' }],
      ...[{ hostname: '169.254.169.254' }, { hostname: '[::1]' }, { hostname: 'a b.example' }],
      ...[{ hostname: 'a.example/x' }, { hostname: 'a.example:80' }],
      ...[{ port: '' }, { port: '0' }, { port: '65536' }, { port: '1.5' }, { port: 'imap' }],
      ...[{ username: '' }, { username: '%REALNAME%' }, { username: 'x'.repeat(257) }],
      ...[{ username: 'a&#x9;b' }]
    ]) {
      assert.equal(imapOf(fields), undefined, JSON.stringify(fields))
    }
  })

  test('is found only where the format has it', () => {
    const inside = server('incomingServer')
    for (const xml of [
      inside,
      `<clientConfig>${inside}</clientConfig>`,
      `<clientConfig><emailProvider><x>${inside}</x></emailProvider></clientConfig>`,
      `<html><emailProvider>${inside}</emailProvider></html>`
    ]) {
      assert.equal(parseConfiguration(xml, EMAIL), undefined, xml)
    }
    const nested = document(
      '<incomingServer type="imap"><x><hostname>a.example.com</hostname></x></incomingServer>'
    )
    assert.equal(parseConfiguration(nested, EMAIL), undefined)
  })

  test('that is not valid or too large is ignored', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${document(
      server('incomingServer', { hostname: '&b;.example.com' })
    )}`
    const deep = document('<a>'.repeat(10_000) + '</a>'.repeat(10_000))
    const wide = document(server('incomingServer'), '<a/>'.repeat(3000))
    for (const xml of [
      ...['', 'no XML', '<clientConfig>', '<!DOCTYPE html><p>Not found', '\0'],
      ...[bomb, deep, wide, document(server('incomingServer')).slice(0, -10)]
    ]) {
      assert.equal(parseConfiguration(xml, EMAIL), undefined, xml.slice(0, 100))
    }
    const local = { ...EMAIL, localPart: '$&<x>', address: '$&<x>@example.com' }
    const xml = document(server('incomingServer'))
    const found = parseConfiguration(xml, local)?.imap
    assert.equal(found?.user, '$&<x>@example.com')
  })
})
