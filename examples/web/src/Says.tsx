import type { Words } from './outcome.ts'

/** Says what happened. Inside of a live region, also to those who cannot see it. */
export function Says({ words: { tone, title, text } }: { words: Words }) {
  return (
    <div className={`says ${tone}`}>
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  )
}
