import { rawZip } from '../../../test/support/raw-zip.ts'
import { FILE, named, refuseArchives, TEXT } from '../../../test/support/zip-archives.ts'

refuseArchives({
  'a list that is overwritten': {
    entries: [FILE, named('b')],
    change: (bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll('PK\x01\x02', 'lost'), 'latin1'),
    problem: 'damaged',
    message: /list of entries is cut/
  },
  'fewer entries than declared': {
    entries: [FILE],
    archive: { end: (end) => end.fill(3, 8, 9).fill(3, 10, 11) },
    problem: 'damaged',
    message: /lists 1 entries instead of 3/
  },
  'more entries than declared': {
    entries: [FILE, named('b')],
    archive: { end: (end) => end.fill(1, 8, 9).fill(1, 10, 11) },
    problem: 'damaged',
    message: /more than 1 entries/
  },
  'a missing zip64 field': {
    entries: [{ ...FILE, central: (record) => record.writeUInt32LE(0xffffffff, 24) }],
    problem: 'damaged',
    message: /"data\/tweets\.js" of .* is damaged: its size is missing/
  },
  'a short zip64 field': {
    entries: [
      { ...FILE, zip64: true, central: (record) => record.writeUInt16LE(8, record.length - 26) }
    ],
    problem: 'damaged',
    message: /size is missing/
  },
  'an entry on another disk': {
    entries: [{ ...FILE, central: (record) => record.writeUInt16LE(2, 34) }],
    problem: 'unsupported',
    message: /split/
  },
  'entries at the same offset': {
    entries: [FILE, { ...named('b'), central: (record) => record.writeUInt32LE(0, 42) }],
    problem: 'damaged',
    message: /is damaged: it overlaps with what follows it/
  },
  'an entry inside another': {
    entries: [
      { name: 'outer', stored: true, data: rawZip([{ name: 'inner', data: TEXT }]) },
      { name: 'inner', data: TEXT, central: (record) => record.writeUInt32LE(35, 42) }
    ],
    problem: 'damaged',
    message: /"outer" .* overlaps/
  },
  'an entry that reaches into the list': {
    entries: [
      { ...FILE, stored: true, central: (record) => record.writeUInt32LE(TEXT.length + 1, 20) }
    ],
    problem: 'damaged',
    message: /overlaps/
  },
  'an offset beyond the file': {
    entries: [{ ...FILE, central: (record) => record.writeUInt32LE(0xfffffff0, 42) }],
    problem: 'damaged',
    message: /overlaps/
  },
  'two entries of one name': {
    entries: [FILE, FILE],
    problem: 'name',
    message: /has two entries with the name "data\/tweets\.js"; remove one/
  },
  'a file and a folder of one name': {
    entries: [named('a'), { name: 'a/' }],
    problem: 'name',
    message: /two entries/
  }
})
