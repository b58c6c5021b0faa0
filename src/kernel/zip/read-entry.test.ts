import { FILE, refuseArchives, TEXT } from '../../../test/support/zip-archives.ts'

refuseArchives({
  'an encrypted entry': {
    entries: [{ ...FILE, flags: 1 }],
    problem: 'unsupported',
    message:
      /^The entry "data\/tweets\.js" of .*\.zip is encrypted; create the archive without a password$/
  },
  'strong encryption': {
    entries: [{ ...FILE, flags: 0x40 }],
    problem: 'unsupported',
    message: /is encrypted/
  },
  'another method': {
    entries: [
      {
        ...FILE,
        local: (header) => header.writeUInt16LE(12, 8),
        central: (record) => record.writeUInt16LE(12, 10)
      }
    ],
    problem: 'unsupported',
    message: /compressed with method 12; create the archive with deflate/
  },
  'a wrong checksum': {
    entries: [
      { ...FILE, descriptor: 'with signature', central: (record) => record.writeUInt32LE(1, 16) }
    ],
    problem: 'damaged',
    message: /checksum is wrong; download or copy the archive again$/
  },
  'changed stored bytes': {
    entries: [{ ...FILE, stored: true, payload: Buffer.from(TEXT).fill(0, 5, 6) }],
    problem: 'damaged',
    message: /checksum is wrong/
  },
  'bytes that are not deflate': {
    entries: [{ ...FILE, descriptor: 'with signature', payload: Buffer.alloc(200, 255) }],
    problem: 'damaged',
    message: /compressed data cannot be decoded/
  },
  'less data than declared': {
    entries: [
      {
        ...FILE,
        descriptor: 'with signature',
        central: (record) => record.writeUInt32LE(TEXT.length + 1, 24)
      }
    ],
    problem: 'damaged',
    message: /size is not the declared one/
  },
  'more data than declared': {
    entries: [
      {
        ...FILE,
        descriptor: 'with signature',
        central: (record) => record.writeUInt32LE(TEXT.length - 1, 24)
      }
    ],
    problem: 'damaged',
    message: /size is not the declared one/
  },
  'a stored entry of two sizes': {
    entries: [
      {
        ...FILE,
        stored: true,
        descriptor: 'with signature',
        central: (record) => record.writeUInt32LE(TEXT.length - 1, 20)
      }
    ],
    problem: 'damaged',
    message: /size is not the declared one/
  },
  'bytes after the compressed data': {
    entries: [
      {
        ...FILE,
        descriptor: 'with signature',
        central: (record) => record.writeUInt32LE(record.readUInt32LE(20) + 4, 20)
      }
    ],
    problem: 'damaged',
    message: /size is not the declared one/
  },
  'compressed data that is cut': {
    entries: [
      {
        ...FILE,
        descriptor: 'with signature',
        central: (record) => record.writeUInt32LE(record.readUInt32LE(20) - 4, 20)
      }
    ],
    problem: 'damaged',
    message: /compressed data cannot be decoded/
  }
})
