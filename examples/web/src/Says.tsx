import type { Words } from './outcome.ts'

/** Says what happened, also to those who cannot see it. */
export function Says({ words: { tone, title, text } }: { words: Words }) {
  return (
    <div className={`says ${tone}`} role={tone === 'good' ? 'status' : 'alert'}>
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  )
}
