// Runs before the first paint (and as a file, because the content policy allows no inline script):
// a theme chosen with the switch holds from the first pixel on; without one the system decides.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('tara-theme');
  } catch {
    // Storage can be forbidden; then the system decides.
  }
  if (chosen !== 'light' && chosen !== 'dark') return;
  document.documentElement.dataset.theme = chosen;
  for (const bar of document.querySelectorAll('meta[name=theme-color]')) {
    bar.content = chosen === 'dark' ? '#0b0c10' : '#fcfaf6';
  }
})();
