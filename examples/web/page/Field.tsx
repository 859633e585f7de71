import { type FormEvent, type ReactNode, useId } from 'react'
import type { Reader } from '../shared/input.ts'

export interface FieldProps {
  readonly label: string
  readonly hint: string
  readonly read: Reader
  /** Said of a value that cannot be read. */
  readonly invalid: string
  /** A value to begin with. */
  readonly first?: string | undefined
  readonly button: string
}

interface Use {
  readonly isFixed?: boolean
  readonly isBusy: boolean
  readonly problem: string
  readonly children?: ReactNode
  onValue(value: string): void
  onProblem(problem: string): void
}

/** A form of one field. What is typed is checked before anything is sent. */
export function Field({ label, hint, read, invalid, first, button, ...use }: FieldProps & Use) {
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const value = read(`${new FormData(event.currentTarget).get('value')}`)
    if (value) use.onValue(value)
    else use.onProblem(invalid)
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name="value"
        autoComplete="off"
        spellCheck={false}
        defaultValue={first}
        readOnly={use.isFixed}
        aria-describedby={`${id}-hint`}
        aria-invalid={use.problem !== ''}
      />
      <p className="soft" id={`${id}-hint`}>
        {hint}
      </p>
      <p className="problem" role="alert">
        {use.problem}
      </p>
      <div className="buttons">
        <button type="submit" disabled={use.isBusy}>
          {use.isBusy ? 'One moment…' : button}
        </button>
        {use.children}
      </div>
    </form>
  )
}
