import { tokenize } from 'linkifyjs';

/** A text with its web addresses as links, to be opened apart from Tara; nothing else becomes a link. */
export default function LinkedText({ text }: { text: string }) {
  let position = 0;
  return tokenize(text).map((token) => {
    const part = token.toString();
    const key = position;
    position += part.length;
    const href = token.t === 'url' ? token.toHref('https') : '';
    if (!/^https?:[/][/]/i.test(href)) return part;
    return (
      <a
        key={key}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline decoration-current/40 underline-offset-3 wrap-anywhere hover:decoration-current"
      >
        {part}
      </a>
    );
  });
}
