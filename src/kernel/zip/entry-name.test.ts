import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { type RawEntry, rawZip } from '../../../test/support/raw-zip.ts'
import {
  named,
  readZip,
  refuseArchives,
  storeZip,
  TEXT
} from '../../../test/support/zip-archives.ts'

/** Extra field with the UTF-8 form of a name. */
function unicodePath(raw: string, name: string): Buffer {
  const field = Buffer.alloc(9 + Buffer.byteLength(name))
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(field.length - 4, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32(raw), 5)
  field.write(name, 9)
  return field
}

test('names are UTF-8 with a flag or a field, otherwise code page 437', async () => {
  const names = new Map<string, RawEntry>([
    ['été/写真 😀.jpg', { name: 'été/写真 😀.jpg', flags: 0x800 }],
    [
      'Grüße ░█ñ.txt',
      {
        name: Buffer.from([
          0x47, 0x72, 0x81, 0xe1, 0x65, 0x20, 0xb0, 0xdb, 0xa4, 0x2e, 0x74, 0x78, 0x74
        ])
      }
    ],
    ['写.txt', { name: '写.txt', central: (record) => record.writeUInt8(3, 5) }],
    [
      'ü.txt',
      { name: Buffer.from('\x81.txt', 'latin1'), central: (record) => record.writeUInt8(3, 5) }
    ],
    ['naïve.txt', { name: 'na#U00efve.txt', extra: unicodePath('na#U00efve.txt', 'naïve.txt') }],
    ['renamed.txt', { name: 'renamed.txt', extra: unicodePath('old.txt', 'óld.txt') }]
  ])
  const contents = await readZip(
    storeZip(rawZip([...names.values()].map((e) => ({ ...e, data: TEXT }))))
  )
  assert.deepEqual([...contents.keys()], [...names.keys()])
})

refuseArchives({
  'a parent folder': {
    entries: [named('a/../../etc/passwd')],
    problem: 'name',
    message: /^The name "a\/\.\.\/\.\.\/etc\/passwd" in .*\.zip contains "\.\."; rename the file/
  },
  'an absolute path': {
    entries: [named('/etc/passwd')],
    problem: 'name',
    message: /absolute path/
  },
  'a backslash': { entries: [named('a\\b')], problem: 'name', message: /backslash/ },
  'a drive letter': { entries: [named('c:evil')], problem: 'name', message: /drive letter/ },
  'a NUL character': { entries: [named('a\0.js')], problem: 'name', message: /NUL character/ },
  'an empty name': { entries: [named('')], problem: 'name', message: /is empty/ },
  'another spelling of a path': {
    entries: [named('a//b')],
    problem: 'name',
    message: /not a plain path/
  },
  'a dot as a folder': { entries: [named('./a')], problem: 'name', message: /not a plain path/ },
  'a parent folder in a UTF-8 field': {
    entries: [{ ...named('a'), extra: unicodePath('a', '../a') }],
    problem: 'name',
    message: /contains "\.\."/
  },
  'a name that is not UTF-8': {
    entries: [named(Buffer.from([0x61, 0xff]), 0x800)],
    problem: 'name',
    message: /not valid UTF-8/
  },
  'a long name': {
    entries: [named('x'.repeat(1025))],
    problem: 'name',
    message: /longer than 1024 bytes/
  }
})
