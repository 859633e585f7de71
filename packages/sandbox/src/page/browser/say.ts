import { byId } from './element.ts'

const SHOWN_MS = 8_000
let timer: ReturnType<typeof setTimeout>

/** Tells a person, in the corner and to a screen reader, politely. */
export function say(text: string): void {
  const said = byId('said')
  said.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    said.textContent = ''
  }, SHOWN_MS)
}
