// Keeps the section in view that a form changed; the page works without it.

/** Closes other confirmations, so that only one question is open. */
for (const question of document.querySelectorAll<HTMLDetailsElement>('details.ask')) {
  question.addEventListener('toggle', () => {
    if (!question.open) return
    for (const other of document.querySelectorAll<HTMLDetailsElement>('details.ask[open]')) {
      if (other !== question) other.open = false
    }
  })
}
