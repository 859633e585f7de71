/** Words that services show in place of a value that is absent. */
const WORDS = /^(-+|n\/a|none|nil|null|0001-01-01t00:00:00z)?$/i

/** Whether a value is shown as absent: null, an empty string, or a word in its place. */
export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && WORDS.test(value))
}
