import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { NOT_FOUND, prepare, UNKNOWN, type Workbench } from './cards-objects.ts'
import { type CardsJson, sites } from './cards-site.ts'

sites('Custom fields of the compatible API', {}, (site) => {
  let ada: Workbench
  let eve: Workbench
  before(async () => {
    ada = await prepare(site(), 'ada')
    eve = await prepare(site(), 'eve')
  })

  describe('fields', () => {
    test('a new field has all members of a field, lists have options', async () => {
      const text = await ada.newField('text', { display_cardFront: 'false' })
      assert.deepEqual(text, {
        ...{ id: text.id, idModel: ada.board.id, modelType: 'board', fieldGroup: text.fieldGroup },
        ...{ display: { cardFront: false }, name: 'text', pos: text.pos, type: 'text' },
        isSuggestedField: false,
        limits: { customFieldOptions: { perField: { status: 'ok', disableAt: 50, warnAt: 45 } } }
      })
      assert.match(text.fieldGroup, /^[0-9a-f]{64}$/)
      const list = await ada.newField('list', {
        options: [
          { value: { text: 'Small' }, color: 'green', pos: 1024 },
          { value: { text: 'Big' } }
        ]
      })
      const [small] = list.options
      assert.deepEqual(small, {
        ...{ id: small.id, _id: small.id, idCustomField: list.id, value: { text: 'Small' } },
        ...{ color: 'green', pos: 1024 }
      })
      assert.equal(list.display.cardFront, true)
      assert.deepEqual(await ada.get(`/customfields/${list.id}`), list)
      const all = await ada.get(`/boards/${ada.board.id}/customFields`)
      assert.deepEqual(all.slice(-2), [text, list])
      assert.deepEqual(await ada.get(`/customFields/${list.id}/options`), list.options)
      assert.deepEqual(await ada.get(`/customFields/${list.id}/options/${small.id}`), small)
    })

    test('changes and removals', async () => {
      const field = await ada.newField('number')
      const path = `/customFields/${field.id}`
      const changed = await ada.put(path, {
        name: 'Height',
        pos: 'top',
        'display/cardFront': false
      })
      assert.deepEqual(
        [changed.name, changed.display, changed.pos < field.pos],
        [...['Height', { cardFront: false }, true]]
      )
      const card = await ada.newCard()
      await ada.put(`/cards/${card.id}/customField/${field.id}/item`, { value: { number: 3 } })
      assert.deepEqual(await ada.remove(path), { limits: {} })
      assert.deepEqual(await ada.get(`/cards/${card.id}/customFieldItems`), [])
      await ada.rejects([404, NOT_FOUND], 'GET', path)
      await ada.rejects([400, 'invalid value for name'], 'PUT', path, { name: '' })
    })

    test('an option that is removed is gone from cards', async () => {
      const field = await ada.newField('list')
      const path = `/customFields/${field.id}/options`
      const option = await ada.post(path, { value: { text: 'A' }, pos: 'bottom' })
      assert.deepEqual([option.idCustomField, option.color], [field.id, 'none'])
      const form = new URLSearchParams({ 'value[text]': 'B', color: 'red' })
      const request = { method: 'POST', token: ada.token, body: form }
      assert.equal((await site().json(path, request)).value.text, 'B')
      const card = await ada.newCard()
      await ada.put(`/cards/${card.id}/customField/${field.id}/item`, { idValue: option.id })
      assert.deepEqual(await ada.remove(`${path}/${option.id}`), {})
      assert.deepEqual(await ada.get(`/cards/${card.id}/customFieldItems`), [])
      await ada.rejects([404, NOT_FOUND], 'GET', `${path}/${option.id}`)
      const other = await ada.newField('list', { options: [{ value: { text: 'C' } }] })
      const foreign = `${path}/${other.options[0].id}`
      await ada.rejects([404, NOT_FOUND], 'GET', foreign)
      await ada.rejects([404, NOT_FOUND], 'DELETE', foreign)
      await ada.rejects([400, 'invalid value for value'], 'POST', path, {})
      const text = await ada.newField('text')
      await ada.rejects(
        [400, 'invalid value for type'],
        'POST',
        `/customFields/${text.id}/options`,
        {
          value: { text: 'A' }
        }
      )
    })

    test('wrong fields are rejected', async () => {
      const rows: [object, [number, string]][] = [
        [{ idModel: eve.board.id }, [404, NOT_FOUND]],
        [{ idModel: UNKNOWN }, [404, NOT_FOUND]],
        [{ idModel: undefined }, [400, 'invalid value for idModel']],
        [{ modelType: 'card' }, [400, 'invalid value for modelType']],
        [{ type: 'money' }, [400, 'invalid value for type']],
        [{ name: '' }, [400, 'invalid value for name']],
        [{ type: 'list', options: 'a' }, [400, 'invalid value for options']],
        [{ type: 'list', options: [{ value: {} }] }, [400, 'invalid value for options']]
      ]
      const valid = { idModel: ada.board.id, modelType: 'board', name: 'A', type: 'text' }
      for (const [more, expected] of rows) {
        await ada.rejects(expected, 'POST', '/customFields', { ...valid, ...more })
      }
      const theirs = await eve.newField('text')
      for (const method of ['GET', 'PUT', 'DELETE']) {
        await ada.rejects([404, NOT_FOUND], method, `/customFields/${theirs.id}`)
      }
      assert.equal((await eve.get(`/customFields/${theirs.id}`)).name, 'text')
    })

    test('a board has at most 50 fields, a field 50 options', async () => {
      const ann = await prepare(site(), 'ann')
      const options = Array.from({ length: 51 }, () => ({ value: { text: 'A' } }))
      const list = { idModel: ann.board.id, modelType: 'board', name: 'A', type: 'list' }
      const many = [403, 'A custom field can have at most 50 options'] as [number, string]
      await ann.rejects(many, 'POST', '/customFields', { ...list, options })
      const first = await ann.post('/customFields', { ...list, options: options.slice(1) })
      const body = { value: { text: 'A' } }
      await ann.rejects(many, 'POST', `/customFields/${first.id}/options`, body)
      for (let count = 1; count < 50; count += 1) await ann.newField('text')
      await ann.rejects(
        [403, 'A board can have at most 50 custom fields'],
        'POST',
        '/customFields',
        {
          ...list
        }
      )
    })
  })

  describe('items', () => {
    test('each type has its form, and a cleared item is gone', async () => {
      const card = await ada.newCard()
      const rows: [type: string, sent: object, stored: object | undefined][] = [
        ['text', { value: { text: 'Steel' } }, { text: 'Steel' }],
        ['number', { value: { number: 10 } }, { number: '10' }],
        ['number', { value: { number: '-1.50' } }, { number: '-1.50' }],
        ['date', { value: { date: '2020-04-17T04:00:00Z' } }, { date: '2020-04-17T04:00:00.000Z' }],
        ['checkbox', { value: { checked: true } }, { checked: 'true' }],
        ['checkbox', { value: { checked: 'false' } }, undefined],
        ['text', { value: '' }, undefined],
        ['text', { value: '{"text":"JSON"}' }, { text: 'JSON' }],
        ['text', { idValue: '', value: '' }, undefined]
      ]
      for (const [type, sent, value] of rows) {
        const field = await ada.newField(type)
        const path = `/cards/${card.id}/customField/${field.id}/item`
        const item = await ada.put(path, sent)
        const items = await ada.get(`/cards/${card.id}/customFieldItems`)
        const stored = items.filter((one: CardsJson) => one.idCustomField === field.id)
        if (value === undefined) assert.deepEqual([item, stored], [{}, []])
        else {
          const common = { idCustomField: field.id, idModel: card.id, modelType: 'card' }
          assert.deepEqual(item, { id: item.id, value, ...common })
          assert.deepEqual(stored, [item])
          assert.deepEqual(await ada.put(path, { value: '' }), {})
        }
      }
    })

    test('a list has the id of an option and no value', async () => {
      const card = await ada.newCard()
      const field = await ada.newField('list', { options: [{ value: { text: 'A' } }] })
      const path = `/cards/${card.id}/customFields/${field.id}/item`
      const [option] = field.options
      const item = await ada.put(path, { idValue: option.id.toUpperCase() })
      assert.deepEqual(Object.keys(item), [
        'id',
        'idValue',
        'idCustomField',
        'idModel',
        'modelType'
      ])
      assert.equal(item.idValue, option.id)
      const other = await ada.newField('list', { options: [{ value: { text: 'B' } }] })
      await ada.rejects([404, NOT_FOUND], 'PUT', path, { idValue: other.options[0].id })
      await ada.rejects([400, 'invalid id'], 'PUT', path, { idValue: 'A' })
      await ada.rejects([400, 'invalid value for value'], 'PUT', path, { value: { text: 'A' } })
      assert.deepEqual(await ada.put(path, { idValue: '', value: '' }), {})
    })

    test('a value of a wrong type is rejected', async () => {
      const card = await ada.newCard()
      const rows: [type: string, value: unknown][] = [
        ['text', { number: '1' }],
        ['text', 'bare'],
        ['text', { text: { a: 1 } }],
        ['text', { text: 'a\u0000' }],
        ['text', { text: 'a', number: '1' }],
        ['number', { number: 'ten' }],
        ['number', { number: '1e999' }],
        ['date', { date: 'soon' }],
        ['checkbox', { checked: 'maybe' }],
        ['checkbox', ['true']]
      ]
      const fields = new Map<string, CardsJson>()
      for (const type of ['text', 'number', 'date', 'checkbox']) {
        fields.set(type, await ada.newField(type))
      }
      for (const [type, value] of rows) {
        const path = `/cards/${card.id}/customField/${fields.get(type).id}/item`
        await ada.rejects([400, 'invalid value for value'], 'PUT', path, { value })
      }
      const path = `/cards/${card.id}/customField/${fields.get('text').id}/item`
      await ada.rejects([400, 'invalid value for value'], 'PUT', path, {})
      assert.deepEqual(await ada.get(`/cards/${card.id}/customFieldItems`), [])
    })

    test('several items change together or not at all', async () => {
      const card = await ada.newCard()
      const [text, number] = [await ada.newField('text'), await ada.newField('number')]
      const path = `/cards/${card.id}/customFields`
      const items = (value: string) => ({
        customFieldItems: [
          { idCustomField: text.id, value: { text: 'A' } },
          { idCustomField: number.id, value: { number: value } }
        ]
      })
      await ada.rejects([400, 'invalid value for value'], 'PUT', path, items('ten'))
      assert.deepEqual(await ada.get(`/cards/${card.id}/customFieldItems`), [])
      const changed = await ada.put(path, items('10'))
      assert.deepEqual(
        changed.map(({ value }: CardsJson) => value),
        [{ text: 'A' }, { number: '10' }]
      )
      assert.deepEqual(await ada.get(`/cards/${card.id}/customFieldItems`), changed)
      await ada.rejects([400, 'invalid value for customFieldItems'], 'PUT', path, {})
    })

    test('a field of another board is unknown', async () => {
      const card = await ada.newCard()
      const theirs = await eve.newField('text')
      const other = await ada.post('/boards', { name: 'Other' })
      const own = await ada.newField('text', { idModel: other.id })
      for (const field of [theirs.id, own.id, UNKNOWN]) {
        const path = `/cards/${card.id}/customField/${field}/item`
        await ada.rejects([404, NOT_FOUND], 'PUT', path, { value: { text: 'A' } })
      }
      const hers = await eve.newCard()
      const path = `/cards/${hers.id}/customField/${theirs.id}/item`
      await ada.rejects([404, NOT_FOUND], 'PUT', path, { value: { text: 'A' } })
      assert.deepEqual(await eve.get(`/cards/${hers.id}/customFieldItems`), [])
    })
  })
})
