/** Runs a script: its result is the exit code, and an error is one message without a stack. */
export async function main(script) {
  try {
    process.exitCode = (await script(process.argv.slice(2))) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
