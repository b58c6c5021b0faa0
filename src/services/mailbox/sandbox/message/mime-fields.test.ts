import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHeader } from './header.ts'
import { decodeParameter } from './header-text.ts'
import { readMimeFields } from './mime-fields.ts'

function read(header: string, isInMultipart = true) {
  const fields = parseHeader(Buffer.from(header, 'latin1'))
  return readMimeFields(fields, { isInMultipart, defaultType: 'text/plain' })
}

test('type, parameters and encoding of a part', () => {
  const fields = read(
    'Content-Type: TEXT/Html; CHARSET="UTF-8"; format=flowed (comment); charset=x\r\n' +
      'Content-Transfer-Encoding: BASE64\r\nContent-Language: en, de-DE\r\n\r\n'
  )
  assert.equal(fields.type, 'text/html')
  assert.deepEqual(fields.parameters, { charset: 'UTF-8', format: 'flowed' })
  assert.equal(fields.encoding, 'base64')
  assert.deepEqual(fields.language, ['en', 'de-DE'])
})

test('content fields of a message without MIME mean nothing', () => {
  assert.equal(read('Content-Transfer-Encoding: base64\r\n', false).encoding, '7bit')
  assert.equal(read('Content-Transfer-Encoding: base64\r\n').encoding, 'base64')
  const isMime = 'MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n'
  assert.equal(read(isMime, false).encoding, 'base64')
})

const NAMES: Readonly<Record<string, string>> = {
  'filename=a.txt': 'a.txt',
  'filename="a b.txt"': 'a b.txt',
  'filename="=?utf-8?q?gr=C3=BC?=.txt"': 'grü.txt',
  "filename*=utf-8''gr%C3%BC.txt": 'grü.txt',
  "filename*=iso-8859-1'de'gr%FC.txt; filename=gru.txt": 'grü.txt',
  'filename*0="a "; filename*1="b.txt"': 'a b.txt',
  "filename*1=%20b.txt; filename*0*=utf-8''%e2%82%ac": '€%20b.txt',
  "filename*0*=utf-8''%e2%82; filename*1*=%ac.txt": '€.txt',
  'filename*=broken.txt': 'broken.txt'
}

test('file names by RFC 2231 and RFC 2047', () => {
  for (const [parameter, name] of Object.entries(NAMES)) {
    const { disposition } = read(`Content-Disposition: attachment; ${parameter}\r\n`)
    assert.equal(decodeParameter(disposition?.parameters ?? {}, 'filename'), name, parameter)
  }
})

test('a parameter that is not there has no value of the prototype', () => {
  assert.equal(decodeParameter({}, 'constructor'), undefined)
})
