export const perSecond = (figure: number) => `${Math.round(figure).toLocaleString('en')}/s`;
export const milliseconds = (figure: number) => `${figure.toFixed(figure < 10 ? 2 : 1)} ms`;
export const ratio = (figure: number) => figure.toFixed(2);
