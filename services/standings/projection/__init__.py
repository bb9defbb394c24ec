"""The tables that are kept: made from what is heard, told to listeners, and made anew from the inbox when need be."""
