/** The demo application: log in, see the list, change a person, log out. */
import { call, type LoggedCall, type Network, Rejection } from './network.ts'

const MAX_LOGGED = 12

interface Person {
  readonly id: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly avatar: string
}

function find<Kind extends HTMLElement>(id: string): Kind {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no ${id}`)
  return element as Kind
}

const app = find('app')
const home = app.dataset.home ?? ''
const login = find<HTMLFormElement>('login')
const session = find<HTMLFormElement>('session')
const paging = find<HTMLFormElement>('paging')
const people = find('people')
const problem = find('problem')
const KEY = `token of ${home}`

let page = 1
let again: () => Promise<void> = async () => undefined
let events: EventSource | undefined

const network: Network = {
  home,
  scenario() {
    const chosen = new FormData(find<HTMLFormElement>('network'))
    return [...chosen.values()]
      .map(String)
      .filter((spec) => spec.trim() !== '')
      .join(',')
  },
  token: () => sessionStorage.getItem(KEY) ?? undefined,
  noteCall: logCall,
  noteRetry(reason, attempt, attempts) {
    setProgress(`${reason}. Trying again, attempt ${attempt} of ${attempts} …`)
  }
}

function setProgress(text: string): void {
  find('progress').textContent = text
}

/** Runs an action of the user; an error is shown with a way to try again. */
async function run(text: string, work: () => Promise<void>): Promise<void> {
  problem.hidden = true
  setProgress(text)
  again = () => run(text, work)
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    if (error.status === 401) return endSession('Your session has expired: log in again.')
    find('reason').textContent = error.message
    problem.hidden = false
  } finally {
    setProgress('')
  }
}

async function showList(): Promise<void> {
  const wanted = page
  const response = await call(network, 'GET', `/users?page=${wanted}&per_page=6`)
  // Another page was chosen meanwhile.
  if (wanted !== page) return
  const list = Array.isArray(response.data) ? (response.data as Person[]) : []
  const pages = Number(response.total_pages ?? 1)
  people.replaceChildren(...list.map(entryOf))
  find('page').textContent = `Page ${page} of ${pages}, ${response.total} people`
  buttonOf(paging, 'previous').disabled = page <= 1
  buttonOf(paging, 'next').disabled = page >= pages
  paging.hidden = false
}

function buttonOf(form: HTMLFormElement, name: string): HTMLButtonElement {
  return form.elements.namedItem(name) as HTMLButtonElement
}

function entryOf(person: Person): HTMLElement {
  const entry = document.createElement('li')
  entry.append(
    cardOf(person),
    button('Edit', `Edit ${nameOf(person)}`, () => edit(entry, person))
  )
  return entry
}

function nameOf({ first_name, last_name }: Person): string {
  return `${first_name ?? ''} ${last_name ?? ''}`.trim()
}

function cardOf(person: Person): HTMLElement {
  const face = document.createElement('img')
  face.className = 'face'
  face.alt = ''
  if (person.avatar) face.src = person.avatar
  const texts = document.createElement('div')
  texts.append(textIn('p', '', nameOf(person)), textIn('p', 'soft', person.email))
  const card = document.createElement('div')
  card.className = 'person'
  card.append(face, texts)
  return card
}

function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.className = 'quiet'
  made.type = 'button'
  made.textContent = text
  made.setAttribute('aria-label', label)
  made.addEventListener('click', act)
  return made
}

function edit(entry: HTMLElement, person: Person): void {
  const form = document.createElement('form')
  const save = document.createElement('button')
  save.textContent = 'Save'
  const cancel = button('Cancel', `Cancel editing ${nameOf(person)}`, () =>
    entry.replaceWith(entryOf(person))
  )
  form.append(
    field('First name', 'first_name', person.first_name),
    field('Last name', 'last_name', person.last_name),
    save,
    cancel
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const changes = Object.fromEntries(new FormData(form))
    run('Saving …', async () => {
      const response = await call(network, 'PATCH', `/users/${person.id}`, changes)
      entry.replaceWith(entryOf({ ...person, ...response }))
    })
  })
  entry.replaceChildren(form)
  form.querySelector('input')?.focus()
}

function field(text: string, name: string, value: string): HTMLElement {
  const input = document.createElement('input')
  input.name = name
  input.value = value ?? ''
  input.size = 14
  const label = document.createElement('label')
  label.append(text, input)
  return label
}

function logCall({ method, path, status, milliseconds, applied }: LoggedCall): void {
  find('no-calls').hidden = true
  const line = document.createElement('li')
  const request = document.createElement('div')
  const target = textIn('code', 'target', path)
  target.title = path
  request.append(textIn('span', `method ${method.toLowerCase()}`, method), ' ', target)
  const why = applied === null ? '' : `, ${applied}`
  const details = textIn('p', 'soft', `${Math.round(milliseconds)} ms${why}`)
  request.append(details)
  const outcome = status === 0 ? 'torn' : String(status)
  const level = status === 0 ? 5 : Math.floor(status / 100)
  line.append(request, textIn('span', `status s${level}`, outcome))
  const calls = find('calls')
  calls.prepend(line)
  while (calls.childElementCount > MAX_LOGGED) calls.lastElementChild?.remove()
}

function textIn(tag: string, className: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

async function openSession(): Promise<void> {
  const { data } = await call(network, 'GET', '/me')
  const me = data as Person & { role: string }
  find('who').textContent = `Logged in as ${nameOf(me)} (${me.role})`
  login.hidden = true
  session.hidden = false
  await showList()
  events ??= listen()
}

/** The list may be changed in another tab. */
function listen(): EventSource {
  const source = new EventSource(`${home}/events`)
  for (const type of ['user.created', 'user.updated', 'user.deleted']) {
    source.addEventListener(type, () => {
      const isBusy = people.querySelector('form') !== null || session.hidden
      if (!isBusy) run('Data changed …', showList)
    })
  }
  return source
}

function endSession(text: string): void {
  sessionStorage.removeItem(KEY)
  events?.close()
  events = undefined
  people.replaceChildren()
  for (const form of [session, paging]) form.hidden = true
  login.hidden = false
  find('reason').textContent = text
  problem.hidden = text === ''
}

login.addEventListener('submit', (event) => {
  event.preventDefault()
  const credentials = Object.fromEntries(new FormData(login))
  run('Logging in …', async () => {
    const { token } = await call(network, 'POST', '/login', credentials)
    sessionStorage.setItem(KEY, String(token))
    page = 1
    await openSession()
  })
})

session.addEventListener('submit', (event) => {
  event.preventDefault()
  run('Logging out …', async () => {
    await call(network, 'POST', '/logout', {})
    endSession('')
  })
})

paging.addEventListener('submit', (event) => {
  event.preventDefault()
  const isNext = (event.submitter as HTMLButtonElement | null)?.name === 'next'
  const wanted = page + (isNext ? 1 : -1)
  run('Loading the list …', async () => {
    const before = page
    page = wanted
    await showList().catch((error) => {
      page = before
      throw error
    })
  })
})

find('network').addEventListener('submit', (event) => event.preventDefault())
find('retry').addEventListener('click', () => again())

if (network.token() === undefined) login.hidden = false
else run('Loading the list …', openSession)
