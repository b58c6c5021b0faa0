import { countText, linePoints, lineTitle, sizeText } from './figures.ts'

/** Refreshes the figures, states and lines of the start page while it is shown. */
const INTERVAL_MS = 3000

interface Status {
  running: number
  requests: number
  failed: number
  dataBytes: number
  services: { name: string; state: string; reason: string | null; minutes: number[] }[]
}

const live = document.querySelector<HTMLElement>('#live')

function setText(element: Element | null, text: string): void {
  if (element !== null && element.textContent !== text) element.textContent = text
}

function showFigure(name: string, text: string): void {
  setText(document.querySelector(`[data-figure="${name}"]`), text)
}

function showService({ name, state, reason, minutes }: Status['services'][number]): void {
  const card = document.querySelector(`#service-${name}`)
  if (card === null) return
  const pill = card.querySelector('.pill')
  setText(pill, state)
  pill?.classList.toggle('open', state === 'starting')
  pill?.classList.toggle('off', state === 'not ready')
  const problem = card.querySelector<HTMLElement>('.problem')
  if (problem !== null) {
    setText(problem, reason ?? '')
    problem.hidden = reason === null
  }
  card.querySelector('.spark polyline')?.setAttribute('points', linePoints(minutes))
  setText(card.querySelector('.spark title'), lineTitle(minutes))
}

function showConnection(isConnected: boolean): void {
  if (live === null) return
  live.hidden = false
  live.classList.toggle('off', !isConnected)
  setText(live, isConnected ? 'live' : 'connection lost')
}

async function refresh(): Promise<void> {
  try {
    const response = await fetch('/status.json')
    if (!response.ok) throw new Error(response.statusText)
    const status: Status = await response.json()
    showFigure('running', countText(status.running))
    showFigure('requests', countText(status.requests))
    showFigure('failed', countText(status.failed))
    showFigure('data', sizeText(status.dataBytes))
    for (const service of status.services) showService(service)
    showConnection(true)
  } catch {
    showConnection(false)
  }
}

async function keepFresh(): Promise<void> {
  if (!document.hidden) await refresh()
  setTimeout(keepFresh, INTERVAL_MS)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh()
})
keepFresh()
