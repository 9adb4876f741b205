// Runs before the first paint, as a file, because the content policy allows no inline script: a theme chosen with the switch
// holds from the first pixel on (without one the system decides), and who is signed in sees the bars of the app while its
// code is on the way.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage can be forbidden.
      return null;
    }
  };
  const page = document.documentElement;
  const isChat = /[/](conversation-receipt|chats)[/]./.test(location.pathname);
  if (read('tara-member') !== null && !isChat) page.dataset.bars = '';
  const theme = read('tara-theme');
  if (theme !== 'light' && theme !== 'dark') return;
  page.dataset.theme = theme;
  for (const bar of document.querySelectorAll('meta[name=theme-color]')) {
    bar.content = theme === 'dark' ? '#0c0d12' : '#fcfaf6';
  }
})();
