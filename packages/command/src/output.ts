/** The exit code of a command whose output was not written whole, since no other one is sure then. */
const NOT_WRITTEN = 2

let isHandled = false

/**
 * Lets a command end as it would have if its output cannot be written. Without this, Node ends the
 * process with a stack trace.
 *
 * If the reader has gone, as in `check | head`, or the terminal was closed, what it prints from then
 * on is dropped. After any other error, such as a full disk, it says once what was not written, and
 * the exit code is 2.
 */
export function handleOutputErrors(): void {
  if (isHandled) return

  isHandled = true
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isClosed(error, stream)) reportNotWritten(name, error)
    })
  }
}

/** Whether an error of an output says that nobody reads it any more. */
export function isClosed(
  { code }: Pick<NodeJS.ErrnoException, 'code'>,
  { isTTY = false }: { readonly isTTY?: boolean },
): boolean {
  // A file has this error too, if its disk is broken.
  const isClosedTerminal = code === 'EIO' && isTTY
  return code === 'EPIPE' || isClosedTerminal
}

let isReported = false

function reportNotWritten(name: 'stdout' | 'stderr', error: Error): void {
  // Each further write fails too, and so may this report.
  if (isReported) return

  isReported = true
  process.stderr.write(`Not all of ${name} could be written: ${error.message}\n`)
  // At the end, since the command sets its own exit code later.
  process.once('exit', () => {
    process.exitCode = NOT_WRITTEN
  })
}
