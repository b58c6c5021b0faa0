/** Handles a button of an image or file; false if it is another button. Nothing is sent. */
export function arrangeImage(button: HTMLButtonElement): boolean {
  const [command = '', id = ''] = button.value.split(':')
  const item = button.closest<HTMLElement>('[data-image], [data-attachment]')
  if (item === null || !['up', 'down', 'remove', 'keep'].includes(command)) return false
  if (command === 'up') item.previousElementSibling?.before(item)
  else if (command === 'down') item.nextElementSibling?.after(item)
  else mark(item, id, button, command === 'remove')
  number()
  if (button.disabled) item.querySelector<HTMLButtonElement>('button:not([disabled])')?.focus()
  else button.focus()
  return true
}

function mark(item: HTMLElement, id: string, button: HTMLButtonElement, isRemoved: boolean): void {
  item.classList.toggle('removed', isRemoved)
  item.querySelector('[name="remove"]')?.remove()
  if (isRemoved) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name: 'remove', value: id })
    item.prepend(input)
  }
  button.value = `${isRemoved ? 'keep' : 'remove'}:${id}`
  button.textContent = isRemoved ? 'Keep it' : 'Remove'
  button.classList.toggle('remove', !isRemoved)
}

/** Names and states of the buttons, after images were moved or added. */
export function number(): void {
  const items = [...document.querySelectorAll('#images > li')]
  for (const [index, item] of items.entries()) {
    for (const [command, isDisabled] of [
      ['up', index === 0],
      ['down', index === items.length - 1]
    ] as const) {
      const button = item.querySelector<HTMLButtonElement>(`button[value^="${command}:"]`)
      if (button === null) continue
      button.disabled = isDisabled
      button.ariaLabel = `Move image ${index + 1} ${command}`
    }
  }
  const none = document.querySelector<HTMLElement>('.no-cover')
  if (none !== null) none.hidden = items.length === 0
}
