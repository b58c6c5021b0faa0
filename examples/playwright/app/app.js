// The address of the API comes from outside, as from a build setting.
const api = new URLSearchParams(location.search).get('api')
const form = document.querySelector('form')
const status = document.querySelector('[role=status]')
const alert = document.querySelector('[role=alert]')
const list = document.querySelector('ul')

const ATTEMPTS = 4
const PAUSE_MS = 50

async function call(path, init) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(api + path, init).catch(() => undefined)
    const body = await answer?.json().catch(() => undefined)
    if (answer?.ok && body !== undefined) return body
    const isOver = attempt === ATTEMPTS || (answer && answer.status < 500)
    if (isOver) throw new Error(body?.error ?? 'The server cannot be reached')
    status.textContent = `That failed, attempt ${attempt + 1} of ${ATTEMPTS} …`
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
  }
}

async function showMembers() {
  status.textContent = 'Loading …'
  const { data } = await call('/users?per_page=20')
  list.replaceChildren(
    ...data.map(({ first_name, last_name }) => {
      const member = document.createElement('li')
      member.textContent = `${first_name} ${last_name}`
      return member
    })
  )
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  alert.hidden = true
  try {
    await call('/login', { method: 'POST', body: new URLSearchParams(new FormData(form)) })
    form.hidden = true
    await showMembers()
  } catch (error) {
    alert.textContent = error.message
    alert.hidden = false
  }
  status.textContent = ''
})
