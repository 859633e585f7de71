import { html, type View } from './view.ts'

const GROUPS = new Intl.NumberFormat('en-US')

/** Formats `100000.00` as `R$ 100,000.00`, without floats. */
export function money(amount: string): string {
  const [reais = '', centavos] = amount.split('.')
  const grouped = GROUPS.format(reais as `${number}`) // exact, since it is a string
  if (centavos === undefined) return `R$ ${grouped}`
  return `R$ ${grouped}.${centavos}`
}

export function moment(iso: string): View {
  const full = utc(Date.parse(iso))
  return html`<time datetime=${iso} title="${full} UTC">${full.slice(5, 19)}</time>`
}

/** `2026-11-21 16:33:05` */
export function utc(ms: number): string {
  if (Number.isNaN(ms)) return 'not known'
  const iso = new Date(ms).toISOString()
  return iso.slice(0, 19).replace('T', ' ')
}

const UNITS = [
  { unit: 'day', size: 86_400 },
  { unit: 'h', size: 3_600 },
  { unit: 'min', size: 60 },
  { unit: 's', size: 1 },
] as const

/** The time left until a moment; `now` if it has passed. */
export function until(iso: string, now: number): string {
  const seconds = Math.ceil((Date.parse(iso) - now) / 1000)
  return seconds > 0 ? `in ${formatDuration(seconds)}` : 'now'
}

/** Whole seconds, in their two largest units, such as `1 day 2 h` or `5 min`. */
export function formatDuration(seconds: number): string {
  let secondsLeft = seconds
  const parts: string[] = []
  for (const { unit, size } of UNITS) {
    const number = Math.floor(secondsLeft / size)
    secondsLeft -= number * size
    if (number === 0) continue
    parts.push(unit === 'day' ? count(number, unit) : `${number} ${unit}`)
  }
  return parts.slice(0, 2).join(' ')
}

/** Milliseconds for display; whole numbers from ten on. */
export function took(ms: number): string {
  const rounded = ms < 10 ? ms.toFixed(1) : Math.round(ms)
  return `${rounded} ms`
}

/** `1 finding`, `2 findings` */
export function count(n: number, noun: string): string {
  return n === 1 ? `${n} ${noun}` : `${n} ${noun}s`
}
