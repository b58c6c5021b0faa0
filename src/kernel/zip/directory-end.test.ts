import { FILE, refuseArchives } from '../../../test/support/zip-archives.ts'

refuseArchives({
  'an empty file': {
    entries: [],
    change: () => Buffer.alloc(0),
    problem: 'damaged',
    message:
      /\.zip is not a complete zip archive: its end record is missing; download or copy it again$/
  },
  'another file': {
    entries: [],
    change: () => Buffer.alloc(90_000, 'text'),
    problem: 'damaged',
    message: /end record is missing/
  },
  'an archive that lacks its last byte': {
    entries: [FILE],
    change: (bytes) => bytes.subarray(0, -1),
    problem: 'damaged',
    message: /end record is missing/
  },
  'an archive that lacks its first bytes': {
    entries: [FILE],
    change: (bytes) => bytes.subarray(10),
    problem: 'damaged',
    message: /bytes before its end record are missing/
  },
  'an archive with missing bytes in the middle': {
    entries: [FILE],
    change: (bytes) => Buffer.concat([bytes.subarray(0, 60), bytes.subarray(70)]),
    problem: 'damaged',
    message: /bytes before/
  },
  'a missing zip64 end record': {
    entries: [FILE],
    archive: { zip64: true, zip64End: (record) => record.fill(0, 0, 4) },
    problem: 'damaged',
    message: /zip64 end record is missing/
  },
  'an impossible zip64 size': {
    entries: [FILE],
    archive: { zip64: true, zip64End: (record) => record.fill(255, 40, 48) },
    problem: 'damaged',
    message: /bytes before/
  },
  'an impossible zip64 count': {
    entries: [FILE],
    archive: { zip64: true, zip64End: (record) => record.fill(255, 24, 40) },
    problem: 'limit',
    message: /more than 500000 entries/
  },
  'a part of a split archive': {
    entries: [FILE],
    archive: { end: (end) => end.fill(1, 4, 5) },
    problem: 'unsupported',
    message: /is one part of a split zip archive; join the parts/
  },
  'a list on several disks': {
    entries: [FILE],
    archive: { end: (end) => end.fill(0, 8, 9) },
    problem: 'unsupported',
    message: /split/
  },
  'a zip64 part of a split archive': {
    entries: [FILE],
    archive: { zip64: true, locator: (record) => record.fill(2, 16, 17) },
    problem: 'unsupported',
    message: /split/
  },
  'a zip64 list on several disks': {
    entries: [FILE],
    archive: { zip64: true, zip64End: (record) => record.fill(7, 16, 17) },
    problem: 'unsupported',
    message: /split/
  }
})
