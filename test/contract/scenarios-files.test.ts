import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { contract } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const FORM = { 'content-type': 'multipart/form-data; boundary=X' }

function part(name: string, filename: string, type: string, content: string): string {
  return (
    `--X\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
    `Content-Type: ${type}\r\n\r\n${content}\r\n`
  )
}

const HELLO_HASH = createHash('sha256').update('hello').digest('hex')

contract('files without a workspace', { service: 'scenarios' }, [
  {
    proves: 'a file is hashed and forgotten',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: FORM,
      body: `${part('photo', 'a.txt', 'text/plain', 'hello')}--X--\r\n`
    },
    expect: {
      status: 201,
      check({ text }) {
        const { files } = JSON.parse(text)
        assert.equal(files.length, 1)
        const [{ id, ...file }] = files
        assert.match(id, /^[0-9a-f]{24}$/)
        assert.deepEqual(Object.entries(file), [
          ['field', 'photo'],
          ['filename', 'a.txt'],
          ['content_type', 'text/plain'],
          ['size', 5],
          ['sha256', HELLO_HASH],
          ['url', null]
        ])
      }
    }
  },
  {
    proves: 'nothing can be found afterwards',
    send: { path: '/api/uploads' },
    expect: { status: 200, json: { files: [] } }
  },
  {
    proves: 'something else than a form is refused',
    send: { method: 'POST', path: '/api/uploads', body: '{}' },
    expect: { status: 415, json: { error: 'Send files as multipart/form-data' } }
  },
  {
    proves: 'a form without a boundary is refused',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: { 'content-type': 'multipart/form-data; x=y' },
      body: 'x'
    },
    expect: { status: 400, json: { error: 'Invalid multipart body' } }
  },
  {
    proves: 'a form that breaks off is refused',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: FORM,
      body: part('photo', 'a.txt', 'text/plain', 'hello')
    },
    expect: { status: 400, json: { error: 'Invalid multipart body' } }
  },
  {
    proves: 'a part without headers behind a good one is refused, not waited for',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: FORM,
      body: `${part('photo', 'a.txt', 'text/plain', 'hello')}--X\r\n\r\n--X--`
    },
    expect: { status: 400, json: { error: 'Invalid multipart body' } }
  },
  {
    proves: 'a form without a file is refused',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: FORM,
      body: '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--X--\r\n'
    },
    expect: { status: 400, json: { error: 'The form contains no file' } }
  },
  {
    proves: 'too many files are refused',
    send: {
      method: 'POST',
      path: '/api/uploads',
      headers: FORM,
      body: `${part('a', 'a', 'text/plain', 'x').repeat(21)}--X--\r\n`
    },
    expect: { status: 413, json: { error: 'Too many files or fields' } }
  },
  {
    proves: 'an unknown file is not there',
    send: { path: `/api/uploads/${'a'.repeat(24)}` },
    expect: { status: 404, json: {} }
  }
])

contract('an echo', { service: 'scenarios' }, [
  {
    proves: 'tells method, path, query, headers and body',
    send: {
      method: 'PATCH',
      path: '/api/echo?a=1&b=2&b=3',
      headers: { 'content-type': 'application/json', 'x-mine': 'yes' },
      body: '{"n":1}'
    },
    expect: {
      status: 200,
      check({ text }) {
        const { headers, ...rest } = JSON.parse(text)
        assert.deepEqual(rest, {
          method: 'PATCH',
          path: '/api/echo',
          query: { a: '1', b: ['2', '3'] },
          body: '{"n":1}',
          encoding: 'utf8',
          json: { n: 1 }
        })
        assert.equal(headers['x-mine'], 'yes')
      }
    }
  },
  {
    proves: 'bytes that are no text come back in base64',
    send: { method: 'POST', path: '/api/echo', body: new Uint8Array([255, 0]) },
    expect: { status: 200, text: /"body":"\/wA=","encoding":"base64","json":null\}$/ }
  },
  {
    proves: 'cookies of others are named and masked, those of nonet are removed',
    send: { path: '/api/echo', headers: { cookie: 'nonet_admin=secret; theme=dark' } },
    expect: {
      status: 200,
      check({ text }) {
        assert.doesNotMatch(text, /secret|dark/)
        assert.equal(JSON.parse(text).headers.cookie, 'theme=********')
      }
    }
  },
  {
    proves: 'JSON that nobody can write again comes back as text only',
    send: { method: 'POST', path: '/api/echo', body: `${'['.repeat(20_000)}${']'.repeat(20_000)}` },
    expect: { status: 200, text: /\]","encoding":"utf8","json":null\}$/ }
  },
  {
    proves: 'a body over the limit is refused',
    send: { method: 'POST', path: '/api/echo', body: 'x'.repeat(1024 * 1024 + 1) },
    expect: { status: 413, json: { error: 'Body too large' } }
  }
])

for (const engine of ENGINES) {
  describe(`files of a workspace on ${engine}`, () => {
    let nonet: Nonet<'scenarios'>
    before(async () => {
      const scenarios = { maxUploadBytes: 100_000, maxStoredUploads: 250_000 }
      nonet = await start({ services: ['scenarios'], scenarios, ...engineOptions(engine) })
    })
    after(() => nonet.stop())

    const upload = (ws: string, files: Record<string, Blob>, query = '') => {
      const form = new FormData()
      for (const [name, blob] of Object.entries(files)) form.append('files', blob, name)
      form.append('note', 'a plain field')
      return fetch(`${nonet.scenarios.url}/w/${ws}/api/uploads${query}`, {
        method: 'POST',
        body: form
      })
    }

    test('a file comes back byte by byte, as an attachment without a type', async () => {
      const bytes = new Uint8Array(70_000).map((_, index) => index * 7)
      const page = new Blob([bytes], { type: 'text/html' })
      const answer = await upload('kept', { 'größe "1"/../x.html': page, 'b.bin': new Blob(['b']) })
      assert.equal(answer.status, 201)
      const { files } = (await answer.json()) as { files: Record<string, string>[] }
      assert.equal(files.length, 2)
      const [file = {}] = files
      assert.match(String(file.url), /\/w\/kept\/api\/uploads\/[0-9a-f]{24}$/)
      assert.equal(file.content_type, 'text/html')
      const back = await fetch(String(file.url))
      assert.deepEqual(new Uint8Array(await back.arrayBuffer()), bytes)
      assert.equal(back.headers.get('content-type'), 'application/octet-stream')
      assert.match(
        back.headers.get('content-disposition') ?? '',
        /^attachment; filename="[^"]*x\.html"; filename\*=UTF-8''/
      )
      assert.equal(back.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(back.headers.get('content-security-policy'), "default-src 'none'; sandbox")
      const list = await fetch(`${nonet.scenarios.url}/w/kept/api/uploads`)
      const listed = (await list.json()) as { files: { id: string }[] }
      assert.deepEqual(
        new Set(listed.files.map(({ id }) => id)),
        new Set(files.map(({ id }) => id))
      )
      const elsewhere = await fetch(String(file.url).replace('/w/kept/', '/w/other/'))
      assert.equal(elsewhere.status, 404)
      const publicly = await fetch(String(file.url).replace('/w/kept', ''))
      assert.equal(publicly.status, 404)
    })

    test('a name that would be cut inside a surrogate pair downloads', async () => {
      // One character before the limit of 255 units, so that the pair would be cut.
      const name = `${'a'.repeat(254)}😀.txt`
      const answer = await upload('pairs', { [name]: new Blob(['b']), '😀.txt': new Blob(['c']) })
      const { files } = (await answer.json()) as { files: Record<string, string>[] }
      assert.deepEqual(
        files.map(({ filename }) => filename),
        ['a'.repeat(254), '😀.txt']
      )
      for (const { url } of files) assert.equal((await fetch(String(url))).status, 200)
      const [, smile = {}] = files
      const disposition = (await fetch(String(smile.url))).headers.get('content-disposition')
      assert.equal(disposition, `attachment; filename="__.txt"; filename*=UTF-8''%F0%9F%98%80.txt`)
    })

    test('the same uploads get the same names after a reset', async () => {
      const names = async () => {
        const files = { 'a.txt': new Blob(['a']), 'b.txt': new Blob(['b']) }
        const { files: stored } = (await (await upload('same', files)).json()) as {
          files: { id: string }[]
        }
        return stored.map(({ id }) => id)
      }
      const first = await names()
      const second = await names()
      assert.notDeepEqual(first, second)
      await fetch(`${nonet.scenarios.url}/_workspaces/same/reset`, { method: 'POST' })
      const list = await fetch(`${nonet.scenarios.url}/w/same/api/uploads`)
      assert.deepEqual(await list.json(), { files: [] })
      assert.deepEqual(await names(), first)
    })

    test('files over the limit are refused whole', async () => {
      const answer = await upload('large', {
        a: new Blob(['a'.repeat(60_000)]),
        b: new Blob(['b'.repeat(60_000)])
      })
      assert.equal(answer.status, 413)
      assert.equal(answer.headers.get('x-error-code'), 'body_too_large')
      const list = await fetch(`${nonet.scenarios.url}/w/large/api/uploads`)
      assert.deepEqual(await list.json(), { files: [] })
    })

    test('a workspace that is full takes no more', async () => {
      const file = { a: new Blob(['a'.repeat(90_000)]) }
      assert.equal((await upload('full', file)).status, 201)
      assert.equal((await upload('full', file)).status, 201)
      const third = await upload('full', file)
      assert.equal(third.status, 413)
      assert.equal(third.headers.get('x-error-code'), 'workspace_full')
    })

    test('upload-slow takes its time, and the file arrives whole', async () => {
      const began = performance.now()
      const answer = await upload(
        'slow',
        { a: new Blob(['a'.repeat(20_000)]) },
        '?scenario=upload-slow:20000'
      )
      assert.equal(answer.status, 201)
      assert.equal(answer.headers.get('x-scenario-applied'), 'upload-slow')
      assert.ok(performance.now() - began >= 950)
      const { files } = (await answer.json()) as { files: { size: number }[] }
      assert.equal(files[0]?.size, 20_000)
    })

    test('upload-fail tears the connection when half of the body has arrived', async () => {
      const { port, hostname } = new URL(nonet.scenarios.url)
      const sent = request({
        hostname,
        port,
        method: 'POST',
        path: '/w/torn/api/uploads?scenario=upload-fail:50',
        headers: { ...FORM, 'content-length': 1000 }
      })
      const torn = new Promise<NodeJS.ErrnoException>((resolve) => sent.once('error', resolve))
      sent.write('x'.repeat(400))
      await fetch(`${nonet.scenarios.url}/api/users`)
      assert.equal(sent.socket?.destroyed, false, 'less than half: still open')
      sent.write('x'.repeat(200))
      assert.match((await torn).code ?? '', /ECONNRESET|EPIPE/)
      const list = await fetch(`${nonet.scenarios.url}/w/torn/api/uploads`)
      assert.deepEqual(await list.json(), { files: [] })
    })
  })
}
