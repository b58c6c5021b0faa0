import { FILE, named, refuseArchives } from '../../../test/support/zip-archives.ts'

refuseArchives({
  'a missing local header': {
    entries: [{ ...FILE, local: (header) => header.fill(0, 0, 4) }],
    problem: 'damaged',
    message: /its header is missing/
  },
  'another method in the local header': {
    entries: [{ ...FILE, local: (header) => header.writeUInt16LE(0, 8) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'encryption in the local header only': {
    entries: [{ ...FILE, local: (header) => header.writeUInt16LE(1, 6) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'another name in the local header': {
    entries: [{ ...FILE, local: (header) => header.write('d4ta', 30) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'another checksum in the local header': {
    entries: [{ ...FILE, local: (header) => header.writeUInt32LE(1, 14) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'another size in the local header': {
    entries: [{ ...FILE, local: (header) => header.writeUInt32LE(1, 22) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'another compressed size in the local header': {
    entries: [{ ...FILE, local: (header) => header.writeUInt32LE(1, 18) }],
    problem: 'damaged',
    message: /two headers differ/
  },
  'a local header that reaches into the next entry': {
    entries: [{ ...FILE, local: (header) => header.writeUInt16LE(30, 28) }, named('b')],
    problem: 'damaged',
    message: /overlaps/
  }
})
