import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../../../test/support/random.ts'
import { createTransferDecoder } from './transfer-decoding.ts'

function decode(encoding: string, chunks: readonly Buffer[]): string {
  const decoder = createTransferDecoder(encoding)
  return Buffer.concat([...chunks.map(decoder.write), decoder.end()]).toString('latin1')
}

const CASES: readonly (readonly [encoding: string, encoded: string, decoded: string])[] = [
  ['7bit', 'a=3D', 'a=3D'],
  ['x-unknown', 'a', 'a'],
  ['base64', 'aGVsbG8=', 'hello'],
  ['base64', 'aGVs\r\nbG8\r\n', 'hello'],
  ['base64', ' a-G_V!sbG8', 'hello'],
  ['base64', 'aGk=aGk=', 'hihi'],
  ['base64', 'aGk=aGVsbG8', 'hihello'],
  ['base64', '='.repeat(4), ''],
  ['quoted-printable', 'a=3Db=3d', 'a=b='],
  ['quoted-printable', 'one =\r\ntwo=\nthree= \t\r\nfour', 'one twothreefour'],
  ['quoted-printable', 'space \t\r\nnext \n', 'space\r\nnext\n'],
  ['quoted-printable', 'in = side =zz =4', 'in = side =zz =4'],
  ['quoted-printable', 'end=', 'end'],
  ['quoted-printable', 'a=20\r\nb\r\n', 'a \r\nb\r\n']
]

test('base64 and quoted-printable, also malformed', () => {
  for (const [encoding, encoded, decoded] of CASES) {
    assert.equal(decode(encoding, [Buffer.from(encoded, 'latin1')]), decoded, encoded)
  }
})

test('the result does not depend on how the bytes are divided', () => {
  const random = createRandom(23)
  const alphabet = [...'aB4=\r\n\t  ==3DF'] as [string, ...string[]]
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random.below(40) }, () => random.pick(alphabet)).join('')
    for (const encoding of ['base64', 'quoted-printable']) {
      const bytes = Buffer.from(text)
      const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
      assert.equal(decode(encoding, single), decode(encoding, [bytes]), JSON.stringify(text))
    }
  }
})
