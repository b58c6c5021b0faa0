import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeFileName } from './file-name.ts'

test('names have no folders, control characters or hidden signs', () => {
  const cases: [string | undefined, string][] = [
    ['photo.jpg', 'photo.jpg'],
    ['Übersicht 2.png', 'Übersicht 2.png'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\temp\\a.txt', 'C-temp-a.txt'],
    ['a"\r\nSet-Cookie: b=c', 'a-Set-Cookie- b=c'],
    ['gpj.\u202eexe', 'gpj.-exe'],
    ['a\ud83d.png', 'a\ufffd.png'],
    ['nul\0.png', 'nul-.png'],
    ['.htaccess', 'htaccess'],
    ['...', 'attachment'],
    ['', 'attachment'],
    [undefined, 'attachment'],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(75)}.jpeg`],
    ['x'.repeat(300), 'x'.repeat(80)],
    [`${'🙂'.repeat(99)}.png`, `${'🙂'.repeat(38)}.png`]
  ]
  for (const [name, safe] of cases) assert.equal(safeFileName(name), safe)
})
