const fieldNames = [
  'request_id',
  'operation',
  'method',
  'status',
  'duration_ms',
  'code',
  'partner_id',
  'attempt',
  'event_id',
  'webhook_id',
  'reason',
  'port',
  'backend',
  'count',
] as const

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The fields of a log line. None may contain a header, a body, a key or a URL with its query. */
type LogFields = Partial<Record<(typeof fieldNames)[number], string | number | boolean | undefined>>

/**
 * Writes a line: time, level, message and the allowed fields that hold a string, a finite number or a boolean. Other
 * fields are dropped, whatever their type says. Strings are cut after 200 characters, and a URL in them before its
 * query.
 */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void

/**
 * Creates a log of JSON lines. It uses an allow-list, because a deny-list is never complete.
 *
 * @param write receives a line with its line feed; default: standard output
 * @param now the time in milliseconds since 1970; default `Date.now`
 */
export function createLog(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
  now: () => number = Date.now,
): Log {
  return (level, message, fields = {}) => {
    const line = { time: new Date(now()).toISOString(), level, message: cut(message), ...allowed(fields) }
    write(`${visible(JSON.stringify(line))}\n`)
  }
}

function allowed(fields: LogFields): LogFields {
  const kept: LogFields = {}
  for (const name of fieldNames) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string') kept[name] = cut(value)
    else if (typeof value === 'boolean' || Number.isFinite(value)) kept[name] = value
  }
  return kept
}

function cut(text: string): string {
  return text.replace(/\S+/g, withoutQuery).slice(0, 200)
}

function withoutQuery(word: string): string {
  return word.includes('://') ? (word.split(/[?#]/, 1)[0] ?? '') : word
}

/** Control characters, line and direction marks, and characters without width. */
const HIDDEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/** Makes one line of text safe to print: escapes characters that control a terminal, as JSON escapes them. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
