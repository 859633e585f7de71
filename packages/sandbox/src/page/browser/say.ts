import { byId } from './element.ts'

const SHOWN_MS = 8_000
let timer: ReturnType<typeof setTimeout>

/** Shows a message in the corner, and announces it politely to screen readers. */
export function say(text: string): void {
  const said = byId('said')
  said.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    said.textContent = ''
  }, SHOWN_MS)
}
