export { addPost } from './PostActions.tsx';
export { Tags } from './PostCard.tsx';
export { PostGrid } from './PostGrid.tsx';
export { newPictureCaption } from './TextPicture.tsx';
